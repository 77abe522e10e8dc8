import { createHash } from 'node:crypto'
import { post, PROJECT, send, type Side } from './api.ts'
import type { Seeded } from './seed.ts'

/** Everything a side holds, as text by name: two sides with the same contents are equal in every byte. */
export async function readContents(side: Side, { tables, files }: Seeded): Promise<Map<string, string>> {
  const contents = new Map<string, string>()
  const add = (name: string, text: string): void => {
    if (contents.has(name)) throw new Error(`${name} is there twice`)
    contents.set(name, createHash('sha256').update(withoutServer(text)).digest('hex'))
  }
  for await (const line of callLines(side)) add(`call ${/"id":"([^"]+)"/.exec(line)?.[1]}`, line)
  const objects = await text(side, '/objs/query', { include_tags_and_aliases: true })
  for (const object of objects.split(/(?=\{"project_id")/).slice(1)) add(`object ${nameOf(object)}`, object)
  for (const digest of tables) add(`table ${digest}`, await text(side, '/table/query', { digest }))
  for (const digest of files) {
    const response = await send(side, '/files/content', JSON.stringify({ project_id: PROJECT, digest }))
    add(`file ${digest}`, Buffer.from(await response.arrayBuffer()).toString('base64'))
  }
  const byId = [{ field: 'id', direction: 'asc' }]
  for (const [what, path] of [
    ['feedback', '/feedback/query'],
    ['price', '/cost/query'],
  ] as const) {
    const all = await text(side, path, { sort_by: byId })
    for (const record of all.split(/(?=\{"id":)/).slice(1))
      add(
        `${what} ${/"id":"([^"]+)"/.exec(record)?.[1]}`,
        record.replace(/[,\]]+(?:"total_count":\d+)?\}?$/, ''),
      )
  }
  const { count } = await post<{ count: number }>(side, '/calls/query_stats', {})
  add('number of calls', String(count))
  return contents
}

function nameOf(object: string): string {
  const [, object_id] = /"object_id":"([^"]+)"/.exec(object) ?? []
  const [, digest] = /"digest":"([^"]+)"/.exec(object) ?? []
  return `${object_id}:${digest}`
}

/** What a server says itself: who wrote something, and when an object or feedback came in. */
function withoutServer(text: string): string {
  return text
    .replace(/"wb_user_id":(?:"[^"]*"|null)/g, '')
    .replace(/"created_at":"[^"]*"/g, '')
    .replace(/[,\]}]+$/, '')
}

async function text(side: Side, path: string, body: object): Promise<string> {
  return (await send(side, path, JSON.stringify({ project_id: PROJECT, ...body }))).text()
}

const PAGE = 5_000

/** In pages, so that a slow machine does not run into the time limit of one long query. */
async function* callLines(side: Side): AsyncGenerator<string> {
  for (let offset = 0; ; offset += PAGE) {
    const lines = (await text(side, '/calls/stream_query', { limit: PAGE, offset })).split('\n')
    yield* lines.filter((line) => line !== '')
    if (lines.length < PAGE) return
  }
}
