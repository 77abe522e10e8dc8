import type { Metric } from '../src/contract/metrics/metrics.ts'
import { RawJson } from '../src/contract/raw-json.ts'
import { tokenCosts } from '../src/core/costs/cost.ts'
import { type Decimal, formatDecimal, plus, ZERO } from '../src/core/costs/decimal.ts'
import type { PriceRow } from '../src/core/costs/prices.ts'
import { tokensByModel } from '../src/core/costs/usage.ts'

/** Reference implementation of `project_metrics` over a list of calls: one loop, no SQL. */

export interface PlainCall {
  readonly id: string
  readonly op_name: string
  readonly parent_id: string | undefined
  readonly startedMs: number
  readonly endedMs: number | undefined
  readonly exception: string | undefined
  readonly attributes: Readonly<Record<string, unknown>>
  readonly summary: Readonly<Record<string, unknown>>
}

export interface PlainRequest {
  readonly startMs: number
  readonly endMs: number
  readonly bucket: 'hour' | 'day' | 'none'
  /** UTC offset of the time zone. It is constant: the tests' times never cross a daylight-saving change. */
  readonly offsetMs: number
  readonly rootsOnly: boolean
  readonly group_by: readonly string[]
  readonly measures: readonly Metric[]
  readonly top: number
  readonly rank_by: Metric
  readonly priceOf: (model: string, ms: number) => PriceRow | undefined
}

/** Values are text, so that costs are compared digit by digit. */
export interface PlainGroup {
  readonly key: Readonly<Record<string, string | null>>
  readonly totals: Readonly<Record<string, string>>
  readonly series: Readonly<Record<string, readonly string[]>>
  readonly unpriced: readonly string[]
}

interface PlainMetrics {
  readonly timestamps: readonly number[]
  readonly groups: readonly PlainGroup[]
  readonly other: PlainGroup | null
}

const BUCKET_MS = { hour: 3_600_000, day: 86_400_000 } as const

export function interpret(calls: readonly PlainCall[], request: PlainRequest): PlainMetrics {
  const { bucket, offsetMs, startMs, endMs } = request
  const bucketStart = (ms: number): number =>
    bucket === 'none' ? 0 : Math.floor((ms + offsetMs) / BUCKET_MS[bucket]) * BUCKET_MS[bucket] - offsetMs
  const timestamps: number[] = []
  if (bucket !== 'none')
    for (let at = bucketStart(startMs); at < endMs; at += BUCKET_MS[bucket]) timestamps.push(at)
  const rows = metricRows(calls, request)
  const groups = new Map<string, Row[]>()
  for (const row of rows) groups.set(row.text, [...(groups.get(row.text) ?? []), row])
  if (request.group_by.length === 0) groups.set('', rows)
  const ordered = [...groups].sort(([a, rowsA], [b, rowsB]) => {
    const byRank = compare(rankValue(rowsB, request.rank_by), rankValue(rowsA, request.rank_by))
    return byRank === 0 ? Buffer.compare(Buffer.from(a), Buffer.from(b)) : byRank
  })
  const view = (key: PlainGroup['key'], own: readonly Row[]): PlainGroup => {
    const within = (at: number): Row[] => own.filter((row) => bucketStart(row.call.startedMs) === at)
    return {
      key,
      totals: Object.fromEntries(request.measures.map((name) => [name, metricValue(own, name)])),
      series: Object.fromEntries(
        request.measures.map((name) => [name, timestamps.map((at) => metricValue(within(at), name))]),
      ),
      unpriced: [...new Set(own.filter((row) => row.isUnpriced).map((row) => row.model ?? ''))].sort(),
    }
  }
  const rest = ordered.slice(request.top).flatMap(([, own]) => own)
  return {
    timestamps,
    groups: ordered
      .slice(0, request.top)
      .map(([, own]) =>
        view(Object.fromEntries(request.group_by.map((name, i) => [name, own[0]?.keys[i] ?? null])), own),
      ),
    other: ordered.length > request.top ? view({}, rest) : null,
  }
}

/** A call counted in a group, or the token usage of one of its models. */
interface Row {
  readonly kind: 'call' | 'usage'
  readonly call: PlainCall
  readonly keys: readonly (string | null)[]
  readonly text: string
  readonly model: string | null
  readonly isUnpriced: boolean
  readonly values: Readonly<Record<string, number>>
  readonly cost: Decimal
}

const CALL_METRICS: ReadonlySet<Metric> = new Set([
  'count',
  'errors',
  'running',
  'avg_latency_ms',
  'p50_latency_ms',
  'p95_latency_ms',
  'p99_latency_ms',
])

function metricRows(calls: readonly PlainCall[], request: PlainRequest): Row[] {
  const requested = [...request.measures, request.rank_by]
  const isCounted = requested.some((name) => CALL_METRICS.has(name))
  const isUsage = requested.some((name) => !CALL_METRICS.has(name))
  const byModel = request.group_by.includes('model')
  return calls.flatMap((call): Row[] => {
    const { startedMs } = call
    if (startedMs < request.startMs || startedMs >= request.endMs) return []
    if (request.rootsOnly && call.parent_id !== undefined) return []
    const used = [...tokensByModel(RawJson.fromValue(call.summary['usage'] ?? null))]
    const row = (kind: Row['kind'], model: string | null, further: Partial<Row> = {}): Row => {
      const keys = request.group_by.map((name) => groupKeyPart(call, name, model, request.offsetMs))
      const text = keys.map((key) => (key === null ? '-' : `${Buffer.byteLength(key)}:${key}`)).join('')
      return { kind, call, keys, text, model, isUnpriced: false, values: {}, cost: ZERO, ...further }
    }
    const models = byModel && used.length > 0 ? used.map(([model]) => model) : [null]
    const counted = isCounted ? models.map((model) => row('call', model)) : []
    if (!isUsage) return counted
    return [
      ...counted,
      ...used.map(([model, tokens]) => {
        const price = request.priceOf(model, startedMs)
        const values = {
          input_tokens: Number(tokens.prompt),
          output_tokens: Number(tokens.completion),
          total_tokens: Number(tokens.total === 0n ? tokens.prompt + tokens.completion : tokens.total),
          cache_read_input_tokens: Number(tokens.cacheRead),
          cache_creation_input_tokens: Number(tokens.cacheCreation),
        }
        const costs = price === undefined ? [] : Object.values(tokenCosts(tokens, price))
        return row('usage', model, {
          isUnpriced: price === undefined,
          values,
          cost: costs.reduce<Decimal>(plus, ZERO),
        })
      }),
    ]
  })
}

function groupKeyPart(call: PlainCall, name: string, model: string | null, offsetMs: number): string | null {
  switch (name) {
    case 'model':
      return model
    case 'op':
      return /^weave:\/\/\/[^/]+\/[^/]+\/op\/([^/]+):[^/:]+$/.exec(call.op_name)?.[1] ?? call.op_name
    case 'day':
      return new Date(call.startedMs + offsetMs).toISOString().slice(0, 10)
    case 'status':
      return callStatus(call)
    default: {
      const value = call.attributes[name.replace('attributes.', '')]
      if (value === undefined || value === null) return null
      return typeof value === 'string' ? value : JSON.stringify(value)
    }
  }
}

function callStatus(call: PlainCall): string {
  if (call.exception !== undefined) return 'error'
  const counts = call.summary['status_counts'] as Record<string, unknown> | undefined
  if (Number(counts?.['error'] ?? 0) > 0) return 'descendant_error'
  return call.endedMs === undefined ? 'running' : 'success'
}

function rankValue(rows: readonly Row[], by: Metric): Decimal {
  if (by === 'cost') return rows.reduce((sum, row) => plus(sum, row.cost), ZERO)
  return { digits: BigInt(metricValue(rows, by)), scale: 0 }
}

function compare(a: Decimal, b: Decimal): number {
  const { digits } = plus(a, { digits: -b.digits, scale: b.scale })
  return digits === 0n ? 0 : digits > 0n ? 1 : -1
}

function metricValue(rows: readonly Row[], name: Metric): string {
  const calls = rows.filter((row) => row.kind === 'call').map((row) => row.call)
  const used = rows.filter((row) => row.kind === 'usage')
  const latencies = calls
    .flatMap(({ startedMs, endedMs }) =>
      endedMs === undefined || endedMs < startedMs ? [] : [endedMs - startedMs],
    )
    .sort((a, b) => a - b)
  switch (name) {
    case 'count':
      return String(calls.length)
    case 'errors':
      return String(calls.filter((call) => call.exception !== undefined).length)
    case 'running':
      return String(calls.filter((call) => call.endedMs === undefined).length)
    case 'cost':
      if (used.length > 0 && used.every((row) => row.isUnpriced)) return 'null'
      return formatDecimal(used.reduce((sum, row) => plus(sum, row.cost), ZERO))
    case 'avg_latency_ms':
      return latencies.length === 0
        ? 'null'
        : rounded(latencies.reduce((a, b) => a + b, 0) / latencies.length)
    case 'p50_latency_ms':
    case 'p95_latency_ms':
    case 'p99_latency_ms':
      return latencies.length === 0 ? 'null' : rounded(percentile(latencies, Number(name.slice(1, 3)) / 100))
    default:
      return String(used.reduce((sum, row) => sum + (row.values[name] ?? 0), 0))
  }
}

function percentile(sorted: readonly number[], level: number): number {
  const at = (sorted.length - 1) * level
  const low = Math.floor(at)
  const a = sorted[low] ?? 0
  return a + ((sorted[low + 1] ?? a) - a) * (at - low)
}

/** Rounds away the last bits, in which two implementations of interpolation differ. */
export function rounded(value: number): string {
  return value.toFixed(6)
}
