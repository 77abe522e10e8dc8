import { createHash } from 'node:crypto'
import { post, PROJECT, send, type Server } from './api.ts'
import type { SeededDigests } from './seed.ts'

/** Reads all records of a server as hashes by name. Servers with identical contents return equal maps. */
export async function readContents(
  server: Server,
  { tables, files }: SeededDigests,
): Promise<Map<string, string>> {
  const contents = new Map<string, string>()
  const add = (name: string, text: string): void => {
    if (contents.has(name)) throw new Error(`duplicate record ${name}`)
    contents.set(name, createHash('sha256').update(withoutServerFields(text)).digest('hex'))
  }
  for await (const line of callLines(server)) add(`call ${/"id":"([^"]+)"/.exec(line)?.[1]}`, line)
  const objects = await text(server, '/objs/query', { include_tags_and_aliases: true })
  for (const object of objects.split(/(?=\{"project_id")/).slice(1))
    add(`object ${versionKey(object)}`, object)
  for (const digest of tables) add(`table ${digest}`, await text(server, '/table/query', { digest }))
  for (const digest of files) {
    const response = await send(server, '/files/content', JSON.stringify({ project_id: PROJECT, digest }))
    add(`file ${digest}`, Buffer.from(await response.arrayBuffer()).toString('base64'))
  }
  const byId = [{ field: 'id', direction: 'asc' }]
  for (const [kind, path] of [
    ['feedback', '/feedback/query'],
    ['price', '/cost/query'],
  ] as const) {
    const all = await text(server, path, { sort_by: byId })
    for (const record of all.split(/(?=\{"id":)/).slice(1))
      add(
        `${kind} ${/"id":"([^"]+)"/.exec(record)?.[1]}`,
        record.replace(/[,\]]+(?:"total_count":\d+)?\}?$/, ''),
      )
  }
  const { count } = await post<{ count: number }>(server, '/calls/query_stats', {})
  add('number of calls', String(count))
  return contents
}

function versionKey(object: string): string {
  const [, object_id] = /"object_id":"([^"]+)"/.exec(object) ?? []
  const [, digest] = /"digest":"([^"]+)"/.exec(object) ?? []
  return `${object_id}:${digest}`
}

/** Removes what each server sets itself: the user, and the creation time of objects and feedback. */
function withoutServerFields(text: string): string {
  return text
    .replace(/"(?:wb_user_id|sent_by)":(?:"[^"]*"|null)/g, '')
    .replace(/"created_at":"[^"]*"/g, '')
    .replace(/[,\]}]+$/, '')
}

async function text(server: Server, path: string, body: object): Promise<string> {
  return (await send(server, path, JSON.stringify({ project_id: PROJECT, ...body }))).text()
}

const PAGE_SIZE = 5_000

/** Reads calls in pages, so that a slow machine does not exceed the query timeout. */
async function* callLines(server: Server): AsyncGenerator<string> {
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const lines = (await text(server, '/calls/stream_query', { limit: PAGE_SIZE, offset })).split('\n')
    yield* lines.filter((line) => line !== '')
    if (lines.length < PAGE_SIZE) return
  }
}
