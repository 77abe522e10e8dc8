import type { Api } from './api.ts'
import { idIn } from './calls-load.ts'
import { judge, sightOf } from './expected.ts'
import type { History } from './history.ts'
import type { Random } from './random.ts'
import { PROJECTS, type Records } from './records.ts'
import type { Verdict } from './verdict.ts'

export interface Knowledge {
  readonly history: History
  readonly records: Records
  readonly random: Random
}

const PAGE = 1_000
const SAMPLED_PAGES = 5
const SAMPLED_READS = 300
const READS_AT_ONCE = 8

/** All calls back through the list, pages, counts and single reads, against what the clients know. */
export async function checkCalls(apis: readonly Api[], known: Knowledge, verdict: Verdict): Promise<number> {
  const seen = new Uint8Array(known.history.calls)
  const counts: number[] = []
  for (const project of PROJECTS.keys()) counts.push(await checkList(apis[0]!, known, verdict, project, seen))
  for (let n = 0; n < known.history.calls; n++) {
    if (seen[n] === 0 && sightOf(known.history, n) === 'must') {
      verdict.note('lost', `${told(known, n)} is not in the list`)
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

/** How many calls the list of a project shows. */
async function checkList(
  api: Api,
  known: Knowledge,
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
    if (seen[n] === 1) verdict.note('duplicated', `${told(known, n)} is in the list twice`)
    seen[n] = 1
  }
  return count
}

/** The number of the call, if it may be there. */
function checkLine(known: Knowledge, verdict: Verdict, project: number, line: string): number | undefined {
  const { history, records } = known
  const n = records.numberOf(idIn(line))
  if (n === undefined || n >= history.calls || sightOf(history, n) === 'never') {
    verdict.note(
      'altered',
      `${n === undefined ? 'a stranger' : told(known, n)} is there: ${line.slice(0, 1000)}`,
    )
    return undefined
  }
  if (records.projectOf(n) !== project) {
    verdict.note('altered', `${told(known, n)} is in ${PROJECTS[project]}`)
    return undefined
  }
  const fault = judge(history, records, n, line)
  if (fault !== undefined)
    verdict.note(fault.fault, `${told(known, n)}: wrong ${fault.what}: ${line.slice(0, 2000)}`)
  return n
}

/** Whole counts and counts by op must say what the list shows. */
async function checkCounts(
  api: Api,
  { records }: Knowledge,
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
  const compare = async (filter: object, listed: number, what: string): Promise<void> => {
    const answer = await api.post<{ count: number }>('/calls/query_stats', { project_id, filter })
    const difference = answer.count - listed
    if (difference === 0) return
    const sentence = `${project_id} counts ${answer.count} calls${what}, and lists ${listed}`
    verdict.note(difference > 0 ? 'duplicated' : 'lost', sentence, Math.abs(difference))
  }
  await compare({}, count, '')
  for (const [op, listed] of byOp) await compare({ op_names: [op] }, listed, ` of ${op}`)
}

/** Page after page where there are few; some pages where there are many. */
async function checkPages(
  api: Api,
  known: Knowledge,
  verdict: Verdict,
  project: number,
  count: number,
  seen: Uint8Array,
): Promise<void> {
  const pages = Math.ceil(count / PAGE)
  const isWhole = pages <= 40
  const wanted = isWhole
    ? Array.from({ length: pages }, (_, page) => page)
    : Array.from({ length: SAMPLED_PAGES }, () => known.random.between(0, pages - 1))
  const paged = new Set<number>()
  for (const page of new Set(wanted)) {
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
      if (paged.has(n)) verdict.note('duplicated', `${told(known, n)} is on two pages`)
      if (seen[n] === 0) verdict.note('duplicated', `${told(known, n)} is on a page, and not in the list`)
      paged.add(n)
    }
  }
  if (isWhole && paged.size !== count) {
    verdict.note('lost', `the pages of ${PROJECTS[project]} show ${paged.size} calls, the list ${count}`)
  }
}

/** One text for each call; none of what we store looks like the border between two. */
function splitCalls(text: string): string[] {
  const body = text.slice(text.indexOf('[') + 1, text.lastIndexOf(']'))
  return body === '' ? [] : body.split(/(?<=\}),(?=\{"id":")/)
}

async function checkReads(
  apis: readonly Api[],
  known: Knowledge,
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
      const isThere = !text.startsWith('{"call":null')
      if (isThere !== (seen[n] === 1)) {
        verdict.note(isThere ? 'duplicated' : 'lost', `${told(known, n)} is read otherwise than listed`)
      }
      if (isThere) checkLine(known, verdict, project, text)
    }
  }
  await Promise.all(Array.from({ length: READS_AT_ONCE }, readSome))
}

function told({ history, records }: Knowledge, n: number): string {
  return `call ${n} ${records.idOf(n)} (${history.describe(n)})`
}
