import type { Metric, NumbersRequest, Sum } from '../../contract/metrics/metrics.ts'
import type { ResponseOf } from '../../contract/operations.ts'
import { ApiError } from '../../contract/api-error.ts'
import { totalsOf } from '../../core/costs/cost.ts'
import { compareDecimals, plus, ZERO } from '../../core/costs/decimal.ts'
import { GroupNumbers, isLatency } from '../../core/metrics/metrics.ts'
import { pickPrice } from '../../core/costs/prices.ts'
import { parseQuery } from '../../core/query/parse.ts'
import { wordBuckets } from '../../core/metrics/time-buckets.ts'
import { formatTime, parseTime, type Micros } from '../../core/time/time.ts'
import { listPricedUsage, type PricedRow } from '../../store/calls/stats.ts'
import {
  groupsOf,
  isAmong,
  keyText,
  listNumbers,
  listTopGroups,
  numberMeasures,
  type NumbersRow,
  type NumbersSelection,
} from '../../store/metrics/metrics.ts'
import { findPriceChanges, findPrices } from '../../store/costs/prices.ts'
import { listBuckets, timestampOf } from '../../store/metrics/project-stats.ts'
import { pricedTokens } from '../calls/call-stats.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'

/** So many rows may come before the largest groups are looked for first. */
const MAX_ROWS = 20_000

/** So many groups of tokens and prices may be compared by what they cost. */
const MAX_COSTED = 200_000

/** Each group has a value in every bucket; more would fill the memory of whoever reads them. */
const MAX_VALUES = 2_000_000

const USUAL_TOP = 10

interface Asked {
  readonly selection: NumbersSelection
  readonly measures: readonly Metric[]
  readonly rank: Sum
  readonly top: number
  /** When prices change; undefined if no tokens are asked for. */
  readonly changes: readonly Micros[] | undefined
  /** When each bucket begins. */
  readonly times: readonly number[]
}

export function numbersHandlers(deps: Deps): Pick<Handlers, 'project_metrics'> {
  return {
    project_metrics: async (request) => {
      const { project_id } = request
      const group_by = [...new Set(request.group_by)]
      const { bucket, buckets } = wordBuckets(request, deps.now())
      const query = parseQuery(request.query)
      const groups = groupsOf(project_id, group_by, buckets.timezone)
      const selection = { project_id, filter: request.filter, query, buckets, groups }
      const times = bucket === 'none' ? [] : await listBuckets(deps.db, buckets)
      const asked = await askedOf(deps, request, selection, times)
      const { top, other } = await topGroups(deps, asked)
      if ((top.length + 1) * times.length * asked.measures.length > MAX_VALUES) {
        const reason = `${top.length} groups in ${times.length} buckets are too many; ask for a larger bucket or fewer groups`
        throw new ApiError('invalid_request', reason)
      }
      const seen = bucket === 'none' ? [] : times
      const view = (group: GroupNumbers, names: readonly string[]) => group.view(names, asked.measures, seen)
      return {
        start: formatTime(buckets.start),
        end: formatTime(buckets.end),
        bucket,
        timezone: buckets.timezone,
        timestamps: times.map(timestampOf),
        groups: top.map((group) => view(group, group_by)),
        other: other === undefined ? null : view(other, []),
      } satisfies ResponseOf<'project_metrics'>
    },
  }
}

async function askedOf(
  deps: Deps,
  request: NumbersRequest,
  selection: NumbersSelection,
  times: readonly number[],
): Promise<Asked> {
  const measures = [...new Set(request.measures ?? (['count', 'errors'] as const))]
  const rank = request.rank_by ?? 'count'
  const isUsage = [...measures, rank].some(isOfUsage)
  if (isUsage) await deps.defaultPrices.ready()
  const changes = isUsage
    ? await findPriceChanges(deps.db, selection.project_id, selection.buckets)
    : undefined
  return { selection, measures, rank, top: request.top ?? USUAL_TOP, changes, times }
}

function isOfUsage(measure: Metric): boolean {
  return measure === 'cost' || measure.endsWith('_tokens')
}

interface Answered {
  readonly top: readonly GroupNumbers[]
  readonly other: GroupNumbers | undefined
}

/** All groups at once if they are few; else first which are the largest, then those. The rest in one more look. */
async function topGroups(deps: Deps, asked: Asked): Promise<Answered> {
  const { selection } = asked
  if (selection.groups.names.length === 0) {
    const [all = new GroupNumbers([])] = await readGroups(deps, asked, selection)
    return { top: [all], other: undefined }
  }
  const few = await readGroups(deps, asked, selection, MAX_ROWS).catch(tooMany)
  const groups = few ?? (await largestGroups(deps, asked))
  const top = ranked(groups, asked.rank).slice(0, asked.top)
  if (few !== undefined && few.length <= asked.top) return { top, other: undefined }
  const keys = top.map((group) => keyText(group.keys))
  const [other] = await readGroups(deps, asked, { ...selection, among: { keys, is: false } })
  return { top, other }
}

class TooMany extends Error {}

function tooMany(error: unknown): undefined {
  if (!(error instanceof TooMany)) throw error
}

function ranked(groups: readonly GroupNumbers[], rank: Sum): GroupNumbers[] {
  const keys = new Map(groups.map((group) => [group, Buffer.from(keyText(group.keys))]))
  return [...groups].sort((a, b) => {
    const byRank =
      rank === 'cost'
        ? compareDecimals(b.totals.cost, a.totals.cost)
        : Math.sign(b.totals.value(rank) - a.totals.value(rank))
    return byRank === 0 ? Buffer.compare(keys.get(a)!, keys.get(b)!) : byRank
  })
}

/** Of groups beyond number. */
async function largestGroups(deps: Deps, asked: Asked): Promise<GroupNumbers[]> {
  const { selection, rank, top } = asked
  let keys: string[]
  if (rank === 'cost') {
    const whole = { ...selection, buckets: { ...selection.buckets, calendar: 'none' as const } }
    const costs = { ...asked, measures: ['cost' as const] }
    const groups = await readGroups(deps, costs, whole, MAX_COSTED).catch(tooMany)
    if (groups === undefined) {
      const reason = 'these are too many groups to rank by cost; narrow the time, or rank by total_tokens'
      throw new ApiError('unprocessable', reason)
    }
    keys = ranked(groups, rank)
      .slice(0, top)
      .map((group) => keyText(group.keys))
  } else {
    const rows = await listTopGroups(deps.db, selection, rank, top)
    keys = rows.map((row) => keyText(keysOf(row, selection)))
  }
  return readGroups(deps, asked, { ...selection, among: { keys, is: true } })
}

/** The numbers of the groups selected; throws `TooMany` when they are more than `limit` rows. */
async function readGroups(
  deps: Deps,
  { measures: wanted, rank, changes, times }: Asked,
  selection: NumbersSelection,
  limit?: number,
): Promise<GroupNumbers[]> {
  const groups = new Map<string, GroupNumbers>()
  const groupOf = (row: NumbersRow | PricedRow): GroupNumbers => {
    const keys = keysOf(row, selection)
    const text = keyText(keys)
    let group = groups.get(text)
    if (group === undefined) groups.set(text, (group = new GroupNumbers(keys)))
    return group
  }
  const asked = [...wanted, rank]
  const most = limit === undefined ? undefined : limit + 1
  if (asked.some((measure) => !isOfUsage(measure))) {
    const measures = numberMeasures(asked)
    const rows = await listNumbers(deps.db, selection, measures, most)
    if (rows.length === most) throw new TooMany()
    for (const row of rows) {
      const cell = groupOf(row).cell(Number(row.bucket))
      cell.add('count', Number(row.count))
      measures.forEach(({ name }, i) => cell.set(name as Metric, row[`m${i}`] ?? null))
    }
    await addLatencies(deps, selection, asked.filter(isLatency), groupOf)
  }
  if (changes !== undefined && asked.some(isOfUsage)) {
    const { groups: by, among, ...rest } = selection
    const rows = await listPricedUsage(
      deps.db,
      {
        ...rest,
        changes,
        keys: by.keys,
        having: isAmong(by, among),
        isTogether: among?.is === false,
        limit: most,
      },
      { sums: deps.keptSums, times },
    )
    if (most !== undefined && rows.length >= most) throw new TooMany()
    await addUsage(deps, selection.project_id, rows, groupOf)
  }
  return [...groups.values()]
}

function keysOf(
  row: { readonly model?: string | null; readonly [key: `k${number}`]: string | null },
  { groups, among }: NumbersSelection,
): (string | null)[] {
  return among?.is === false ? [] : groups.names.map((name) => row[name] ?? null)
}

type GroupOf<Row> = (row: Row) => GroupNumbers

/** Percentiles of the whole time are not those of its buckets put together. */
async function addLatencies(
  { db }: Deps,
  selection: NumbersSelection,
  asked: readonly Metric[],
  groupOf: GroupOf<NumbersRow>,
): Promise<void> {
  if (asked.length === 0) return
  const measures = numberMeasures(asked)
  const whole = { ...selection, buckets: { ...selection.buckets, calendar: 'none' as const } }
  for (const row of await listNumbers(db, whole, measures)) {
    const group = groupOf(row)
    measures.forEach(({ name }, i) => group.setOverall(name as Metric, row[`m${i}`] ?? null))
  }
}

async function addUsage(
  { db }: Deps,
  project_id: string,
  rows: readonly PricedRow[],
  groupOf: GroupOf<PricedRow>,
): Promise<void> {
  const prices = await findPrices(
    db,
    project_id,
    rows.map((row) => row.model),
  )
  for (const row of rows) {
    const group = groupOf(row)
    const cell = group.cell(Number(row.bucket))
    cell.add('input_tokens', Number(row.prompt_sum))
    cell.add('output_tokens', Number(row.completion_sum))
    cell.add('total_tokens', Number(row.total_sum))
    cell.add('cache_read_input_tokens', Number(row.cache_read_sum))
    cell.add('cache_creation_input_tokens', Number(row.cache_creation_sum))
    const price = pickPrice(prices.get(row.model) ?? [], parseTime(row.moment) ?? 0n)
    if (price === undefined) group.unpriced.add(row.model)
    const costs = price === undefined ? undefined : Object.values(totalsOf(pricedTokens(row), price))
    cell.charge(costs?.reduce(plus, ZERO))
  }
}
