import assert from 'node:assert/strict'
import { post, PROJECT, send, type Server } from '../../import/api.ts'

const MAX_READS_BY_ID = 80

/** The list of calls has every one of them, and calls are returned complete by their ids. */
export async function assertReadable(server: Server, ids: readonly string[]): Promise<void> {
  const listed = new Set<string>()
  const filter = { op_names: ['load'] }
  const body = { project_id: PROJECT, filter, columns: ['id'], limit: 1_000_000 }
  for (const line of (await (await send(server, '/calls/stream_query', JSON.stringify(body))).text()).split(
    '\n',
  ))
    if (line !== '') listed.add((JSON.parse(line) as { id: string }).id)
  assert.deepEqual(
    ids.filter((id) => !listed.has(id)),
    [],
    'missing in the list',
  )
  for (const id of ids.slice(-MAX_READS_BY_ID)) {
    const { call } = await post<{ call: { inputs?: object; output?: object } | null }>(server, '/call/read', {
      id,
    })
    assert.deepEqual([call?.inputs, call?.output], [{ text: `question ${id}` }, { text: `answer ${id}` }])
  }
}
