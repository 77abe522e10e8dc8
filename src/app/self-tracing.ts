import { randomBytes } from 'node:crypto'
import { networkInterfaces } from 'node:os'
import type { Logger } from 'pino'
import type { RequestSpan } from '../http/pipeline/open-context.ts'
import { VERSION } from './deps.ts'
import type { Settings } from './settings.ts'

/** Exports a span per request by OTLP/HTTP in JSON. Failures never affect requests: spans are dropped. */

export interface SelfTracing {
  record(span: RequestSpan): void
  /** Exports what is left, for at most a second. */
  stop(): Promise<void>
}

const MAX_QUEUED_SPANS = 2_048
const MAX_BATCH_SPANS = 512
const EXPORT_INTERVAL_MS = 5_000
const EXPORT_TIMEOUT_MS = 10_000
const STOP_TIMEOUT_MS = 1_000
const WARNING_INTERVAL_MS = 60_000

/** Marks our exports, so that no server traces the export of a span: the endpoint may lead back here. */
const SELF_TRACING_AGENT = 'heddle-self-tracing'

/** Health checks and files of the web UI. */
const UNTRACED = new Set(['/healthz', '/livez', '/readyz', '/metrics', 'web'])

type TracingSettings = Pick<
  Settings,
  'otlpEndpoint' | 'otlpTracesEndpoint' | 'otlpHeaders' | 'otlpTracesExporter' | 'otlpServiceName'
>

/** The URL that spans are sent to; undefined if self-tracing is off. */
export function tracesUrl(settings: TracingSettings): string | undefined {
  const { otlpEndpoint, otlpTracesEndpoint, otlpTracesExporter = 'otlp' } = settings
  if (otlpTracesExporter !== 'otlp') return undefined
  if (otlpTracesEndpoint !== undefined) return otlpTracesEndpoint
  return otlpEndpoint === undefined ? undefined : `${otlpEndpoint.replace(/\/+$/, '')}/v1/traces`
}

/** @param ownUrls where this server listens: it must not trace into itself. */
export function startSelfTracing(
  settings: TracingSettings,
  ownUrls: readonly string[],
  log: Logger,
): SelfTracing | undefined {
  const url = tracesUrl(settings)
  if (url === undefined) return undefined
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    log.warn(`self-tracing is off, because "${url}" is not a URL`)
    return undefined
  }
  if (ownUrls.some((own) => isSameServer(new URL(url), new URL(own)))) {
    log.warn(
      `self-tracing is off, because ${url} is this server; set OTEL_TRACES_EXPORTER=none if the variable is meant for other programs`,
    )
    return undefined
  }
  log.info({ url }, 'self-tracing is on')
  return new SpanExporter(url, settings, log)
}

function isSameServer(target: URL, own: URL): boolean {
  const port = ({ port: given, protocol }: URL): string => given || (protocol === 'https:' ? '443' : '80')
  return port(target) === port(own) && (isOwnAddress(target.hostname) || target.hostname === own.hostname)
}

function isOwnAddress(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  if (address === 'localhost' || address === '0.0.0.0' || address === '::' || address.startsWith('127.'))
    return true
  return Object.values(networkInterfaces()).some((list) => list?.some((each) => each.address === address))
}

class SpanExporter implements SelfTracing {
  readonly #url: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #serviceName: string
  readonly #log: Logger
  readonly #timer: NodeJS.Timeout
  #queue: object[] = []
  #exporting: Promise<void> | undefined
  #warnedMs = Number.NEGATIVE_INFINITY

  constructor(url: string, { otlpHeaders, otlpServiceName }: TracingSettings, log: Logger) {
    this.#url = url
    this.#headers = parseHeaders(otlpHeaders ?? '')
    this.#serviceName = otlpServiceName ?? 'heddle'
    this.#log = log
    this.#timer = setInterval(() => this.#export(), EXPORT_INTERVAL_MS).unref()
  }

  record(span: RequestSpan): void {
    if (UNTRACED.has(span.operation) || span.userAgent === SELF_TRACING_AGENT) return
    const parent = parseTraceparent(span.traceparent)
    if (parent?.isSampled === false || this.#queue.length >= MAX_QUEUED_SPANS) return
    this.#queue.push(otlpSpan(span, parent))
    if (this.#queue.length >= MAX_BATCH_SPANS) this.#export()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#exporting
    this.#export(STOP_TIMEOUT_MS)
    await this.#exporting
  }

  /** One export at a time: a slow collector does not pile up requests. */
  #export(timeoutMs = EXPORT_TIMEOUT_MS): void {
    if (this.#exporting !== undefined || this.#queue.length === 0) return
    const spans = this.#queue.splice(0, MAX_BATCH_SPANS)
    this.#exporting = this.#send(spans, timeoutMs)
      .catch((error: unknown) => this.#warn(error, spans.length))
      .finally(() => (this.#exporting = undefined))
  }

  async #send(spans: readonly object[], timeoutMs: number): Promise<void> {
    const resource = {
      attributes: [
        { key: 'service.name', value: { stringValue: this.#serviceName } },
        { key: 'service.version', value: { stringValue: VERSION } },
      ],
    }
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': SELF_TRACING_AGENT,
        ...this.#headers,
      },
      body: JSON.stringify({
        resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'heddle' }, spans }] }],
      }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`the collector returned ${response.status}`)
  }

  #warn(error: unknown, count: number): void {
    if (performance.now() - this.#warnedMs < WARNING_INTERVAL_MS) return
    this.#warnedMs = performance.now()
    this.#log.warn({ err: error, spans: count }, 'exporting spans of self-tracing failed; they are dropped')
  }
}

/** `name=value,name=value`, percent-encoded. */
function parseHeaders(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const [, name, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? []
    return name === undefined || value === undefined ? [] : [[name, decode(value)] as const]
  })
  return Object.fromEntries(pairs)
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

interface Parent {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
}

/** The header of W3C Trace Context. */
function parseTraceparent(text: string | undefined): Parent | undefined {
  const [, traceId, spanId, flags] =
    /^[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})/.exec(text ?? '') ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

const SPAN_KIND_SERVER = 2
const STATUS_ERROR = 2

function otlpSpan(span: RequestSpan, parent: Parent | undefined): object {
  const endMs = Date.now()
  const nanos = (ms: number): string => String(BigInt(Math.round(ms * 1_000)) * 1_000n)
  return {
    traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    ...(parent === undefined ? {} : { parentSpanId: parent.spanId }),
    name: span.operation,
    kind: SPAN_KIND_SERVER,
    startTimeUnixNano: nanos(endMs - span.durationMs),
    endTimeUnixNano: nanos(endMs),
    attributes: [
      { key: 'http.response.status_code', value: { intValue: String(span.status) } },
      { key: 'http.request.body.size', value: { intValue: String(span.bytes) } },
      { key: 'heddle.request_id', value: { stringValue: span.request_id } },
    ],
    ...(span.status >= 500 ? { status: { code: STATUS_ERROR } } : {}),
  }
}
