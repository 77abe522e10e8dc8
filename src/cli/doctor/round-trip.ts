import { randomBytes } from 'node:crypto'
import type { Client } from '../../client/client.ts'
import { type Check, type Finding, NO_RESPONSE, ok, problem, skipped, warning } from './check.ts'
import { uuidv7 } from '../../core/time/ids.ts'
import { formatTime, systemClock } from '../../core/time/time.ts'
import { RawJson } from '../../contract/raw-json.ts'

/** Writes a call into a project of its own, reads it, and deletes the project. */

const SLOW_MS = 2_000

export const roundTripCheck: Check = {
  name: 'write and read',
  run: async ({ server }) => {
    if (server?.responds === false) return [NO_RESPONSE]
    if (server?.client === undefined) return [skipped('needs a running server and an API key')]
    const { client } = server
    const session = await client.call('session_read', {}).catch(() => undefined)
    if (session === undefined) return [skipped('needs a valid API key')]
    const entity = session.username
    const project = `doctor-${randomBytes(6).toString('hex')}`
    const findings: Finding[] = []
    try {
      findings.push(await roundTrip(client, `${entity}/${project}`))
    } catch (error) {
      findings.push(
        problem(
          `a call cannot be written and read: ${error instanceof Error ? error.message : String(error)}`,
          'look at the log of the server; a full disk, a quota and a read-only ClickHouse are common reasons',
        ),
      )
    }
    // There is no project to delete if the write failed.
    await client.call('project_delete', { entity, project }).catch((error: unknown) => {
      if (findings[0]?.level === 'ok')
        findings.push(
          warning(
            `the project ${entity}/${project} of this check was not deleted: ${error instanceof Error ? error.message : String(error)}`,
            'delete it in its settings',
          ),
        )
    })
    return findings
  },
}

async function roundTrip(client: Client, project_id: string): Promise<Finding> {
  const id = uuidv7(systemClock())
  const inputs = JSON.stringify({ text: randomBytes(16).toString('hex') })
  const startedMs = performance.now()
  await client.call('call_start', {
    start: {
      project_id,
      id,
      op_name: 'doctor',
      started_at: formatTime(systemClock()),
      attributes: RawJson.fromText('{}'),
      inputs: RawJson.fromText(inputs),
    },
  })
  const writtenMs = performance.now()
  const { call } = await client.call('call_read', { project_id, id })
  const readMs = performance.now()
  if (call === null) throw new Error('the call was acknowledged, but is not there')
  if (call.inputs.text !== inputs) throw new Error('the call was read with other contents')
  const message = `a call is written in ${Math.round(writtenMs - startedMs)} ms and read in ${Math.round(readMs - writtenMs)} ms`
  return readMs - startedMs > SLOW_MS
    ? warning(message, 'look for overload: CPU, memory and disk of Heddle and ClickHouse')
    : ok(message)
}
