import type { Api } from './api.ts'
import { callIdIn } from './calls-load.ts'
import { findFault, expectedVisibility } from './expected.ts'
import type { History } from './history.ts'
import type { Random } from './random.ts'
import { PROJECTS, type Records } from './records.ts'
import type { Verdict } from './verdict.ts'

/** What the clients know about the calls they wrote. */
export interface KnownCalls {
  readonly history: History
  readonly records: Records
  readonly random: Random
}

const PAGE = 1_000
const SAMPLED_PAGES = 5
const SAMPLED_READS = 300
const CONCURRENT_READS = 8

/** Reads all calls back by list, pages, counts and single reads, and compares them with what the clients know. */
export async function checkCalls(apis: readonly Api[], known: KnownCalls, verdict: Verdict): Promise<number> {
  const seen = new Uint8Array(known.history.calls)
  const counts: number[] = []
  for (const project of PROJECTS.keys()) counts.push(await checkList(apis[0]!, known, verdict, project, seen))
  for (let n = 0; n < known.history.calls; n++) {
    if (seen[n] === 0 && expectedVisibility(known.history, n) === 'must') {
      verdict.note('lost', `${describeCall(known, n)} is not in the list`)
    }
  }
  const other = apis.at(-1)!
  for (const [project, count] of counts.entries()) {
    await checkCounts(other, known, verdict, project, count, seen)
    await checkPages(other, known, verdict, project, count, seen)
  }
  await checkReads(apis, known, verdict, seen)
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Checks the list of a project; returns its number of calls. */
async function checkList(
  api: Api,
  known: KnownCalls,
  verdict: Verdict,
  project: number,
  seen: Uint8Array,
): Promise<number> {
  let count = 0
  for await (const line of api.lines('/calls/stream_query', { project_id: PROJECTS[project] })) {
    if (line === '') continue
    count++
    const n = checkLine(known, verdict, project, line)
    if (n === undefined) continue
    if (seen[n] === 1) verdict.note('duplicated', `${describeCall(known, n)} is in the list twice`)
    seen[n] = 1
  }
  return count
}

/** Checks one listed call; returns its number, or undefined if it must not be in this project. */
function checkLine(known: KnownCalls, verdict: Verdict, project: number, line: string): number | undefined {
  const { history, records } = known
  const n = records.numberOf(callIdIn(line))
  if (n === undefined || n >= history.calls || expectedVisibility(history, n) === 'never') {
    verdict.note(
      'altered',
      `${n === undefined ? 'an unknown call' : describeCall(known, n)} must not be listed: ${line.slice(0, 1000)}`,
    )
    return undefined
  }
  if (records.projectOf(n) !== project) {
    verdict.note('altered', `${describeCall(known, n)} is in ${PROJECTS[project]}`)
    return undefined
  }
  const fault = findFault(history, records, n, line)
  if (fault !== undefined)
    verdict.note(fault.kind, `${describeCall(known, n)}: wrong ${fault.part}: ${line.slice(0, 2000)}`)
  return n
}

/** The total count and the counts by op must equal the list. */
async function checkCounts(
  api: Api,
  { records }: KnownCalls,
  verdict: Verdict,
  project: number,
  count: number,
  seen: Uint8Array,
): Promise<void> {
  const project_id = PROJECTS[project]
  const byOp = new Map<string, number>()
  for (const [n, isSeen] of seen.entries()) {
    if (isSeen === 0 || records.projectOf(n) !== project) continue
    byOp.set(records.opOf(n), (byOp.get(records.opOf(n)) ?? 0) + 1)
  }
  const compare = async (filter: object, listed: number, scope: string): Promise<void> => {
    const response = await api.post<{ count: number }>('/calls/query_stats', { project_id, filter })
    const difference = response.count - listed
    if (difference === 0) return
    const sentence = `${project_id} counts ${response.count} calls${scope}, but lists ${listed}`
    verdict.note(difference > 0 ? 'duplicated' : 'lost', sentence, Math.abs(difference))
  }
  await compare({}, count, '')
  for (const [op, listed] of byOp) await compare({ op_names: [op] }, listed, ` of ${op}`)
}

/** Checks every page of a small project, and a sample of pages of a large one. */
async function checkPages(
  api: Api,
  known: KnownCalls,
  verdict: Verdict,
  project: number,
  count: number,
  seen: Uint8Array,
): Promise<void> {
  const pages = Math.ceil(count / PAGE)
  const isComplete = pages <= 40
  const pageNumbers = isComplete
    ? Array.from({ length: pages }, (_, page) => page)
    : Array.from({ length: SAMPLED_PAGES }, () => known.random.between(0, pages - 1))
  const paged = new Set<number>()
  for (const page of new Set(pageNumbers)) {
    const text = await api.text('/calls/query', {
      project_id: PROJECTS[project],
      sort_by: [{ field: 'started_at', direction: 'desc' }],
      limit: PAGE,
      offset: page * PAGE,
    })
    const lines = splitCalls(text)
    const expected = Math.min(PAGE, count - page * PAGE)
    if (lines.length !== expected) {
      verdict.note(lines.length < expected ? 'lost' : 'duplicated', `page ${page} has ${lines.length} calls`)
    }
    for (const line of lines) {
      const n = checkLine(known, verdict, project, line)
      if (n === undefined) continue
      if (paged.has(n)) verdict.note('duplicated', `${describeCall(known, n)} is on two pages`)
      if (seen[n] === 0)
        verdict.note('duplicated', `${describeCall(known, n)} is on a page, but not in the list`)
      paged.add(n)
    }
  }
  if (isComplete && paged.size !== count) {
    verdict.note('lost', `the pages of ${PROJECTS[project]} show ${paged.size} calls, the list ${count}`)
  }
}

/** Splits the response into one text per call; no stored value contains the separator. */
function splitCalls(text: string): string[] {
  const body = text.slice(text.indexOf('[') + 1, text.lastIndexOf(']'))
  return body === '' ? [] : body.split(/(?<=\}),(?=\{"id":")/)
}

async function checkReads(
  apis: readonly Api[],
  known: KnownCalls,
  verdict: Verdict,
  seen: Uint8Array,
): Promise<void> {
  const { history, records, random } = known
  let left = SAMPLED_READS
  const readSome = async (): Promise<void> => {
    while (left-- > 0) {
      const n = random.between(0, history.calls - 1)
      const project = records.projectOf(n)
      const text = await random
        .pick(apis)
        .text('/call/read', { project_id: PROJECTS[project], id: records.idOf(n) })
      const exists = !text.startsWith('{"call":null')
      if (exists !== (seen[n] === 1)) {
        verdict.note(
          exists ? 'duplicated' : 'lost',
          `${describeCall(known, n)} is read differently than listed`,
        )
      }
      if (exists) checkLine(known, verdict, project, text)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT_READS }, readSome))
}

function describeCall({ history, records }: KnownCalls, n: number): string {
  return `call ${n} ${records.idOf(n)} (${history.describe(n)})`
}
