// Shared helpers of the test programs: a new project, flush everything, read it back.
import { randomBytes } from 'node:crypto'
import * as weave from 'weave'

export async function start(name) {
  return weave.init(`admin/ts-${name}-${randomBytes(4).toString('hex')}`, { printCallLink: false })
}

/** All calls of the project, oldest first, read after a flush. */
export async function stored(client, filter = {}, includeCosts = false) {
  await client.waitForBatchProcessing()
  const calls = await client.getCalls(filter, includeCosts)
  return calls.sort((a, b) => (a.started_at < b.started_at ? -1 : 1))
}

export function functionName(call) {
  return /\/op\/([^:]+):/.exec(call.op_name)?.[1] ?? call.op_name
}

/** Sends a request as the SDK would, for operations without an SDK method. */
export async function post(path, body) {
  const response = await fetch(process.env.WF_TRACE_SERVER_URL + path, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`api:${process.env.WANDB_API_KEY}`).toString('base64')}`,
    },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`)
  return response
}
