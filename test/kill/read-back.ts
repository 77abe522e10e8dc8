import { type History, PROJECT, type Target } from './clients.ts'

export interface Verdict {
  readonly lost: number
  readonly duplicated: number
  readonly altered: number
}

/** Everything back through the list, the count and single reads, against what the clients know. */
export async function readBack(target: Target, history: History): Promise<Verdict> {
  const seen = new Map<string, string>()
  let duplicated = 0
  for (const call of await listCalls(target)) {
    if (seen.has(call.id)) duplicated++
    seen.set(call.id, call.output)
  }
  const ids = [...history.acknowledged.keys()]
  const lost = ids.filter((id) => !seen.has(id)).length
  const altered = ids.filter((id) => seen.has(id) && seen.get(id) !== history.acknowledged.get(id)).length
  const strangers = [...seen.keys()].filter(
    (id) => !history.acknowledged.has(id) && !history.unknown.has(id),
  ).length
  const counted = await countCalls(target)
  duplicated += Math.abs(counted - seen.size) + strangers
  const sample = ids.filter((_, i) => i % Math.ceil(ids.length / 200) === 0)
  const single = await Promise.all(sample.map((id) => readOutput(target, id)))
  return {
    lost,
    duplicated,
    altered: altered + single.filter((output, i) => output !== history.acknowledged.get(sample[i]!)).length,
  }
}

async function post(target: Target, path: string, body: unknown): Promise<string> {
  const response = await fetch(target.url + path, {
    method: 'POST',
    headers: { authorization: target.authorization },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
  return text
}

async function listCalls(target: Target): Promise<{ id: string; output: string }[]> {
  const text = await post(target, '/calls/stream_query', { project_id: PROJECT, columns: ['id', 'output'] })
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { id: string; output: string })
}

async function countCalls(target: Target): Promise<number> {
  const text = await post(target, '/calls/query_stats', { project_id: PROJECT })
  return (JSON.parse(text) as { count: number }).count
}

async function readOutput(target: Target, id: string): Promise<string | undefined> {
  const text = await post(target, '/call/read', { project_id: PROJECT, id })
  return (JSON.parse(text) as { call: { output: string } | null }).call?.output
}
