import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { MemoryBudget } from './memory-budget.ts'

/** Prometheus metrics of the HTTP server. Label values are our own names (operations, statuses), never client input. */
export class Metrics {
  readonly registry = new Registry()
  readonly #requests: Counter<'operation' | 'status'>
  readonly #seconds: Histogram<'operation'>
  readonly #bytes: Counter<'operation'>
  readonly #errors: Counter<'code'>
  readonly #largeRequests: Counter<'operation'>
  readonly #ignoredFields: Counter<'operation'>
  readonly #discarded: Counter<'operation'>
  readonly #eventLoopTimer: NodeJS.Timeout

  /** `leases`: what requests hold now, by kind. */
  constructor(memoryBudget: MemoryBudget, leases: () => Readonly<Record<string, number>>) {
    const registers = [this.registry]
    collectProcessMetrics(this.registry)
    this.#requests = new Counter({
      name: 'heddle_http_requests_total',
      help: 'HTTP requests, by operation and status.',
      labelNames: ['operation', 'status'],
      registers,
    })
    this.#seconds = new Histogram({
      name: 'heddle_http_request_duration_seconds',
      help: 'Request duration in seconds, from the first byte of the request to the last byte of the response.',
      labelNames: ['operation'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers,
    })
    this.#bytes = new Counter({
      name: 'heddle_http_request_bytes_total',
      help: 'Bytes of request bodies, after decompression.',
      labelNames: ['operation'],
      registers,
    })
    this.#errors = new Counter({
      name: 'heddle_http_errors_total',
      help: 'Error responses, by error code.',
      labelNames: ['code'],
      registers,
    })
    this.#largeRequests = new Counter({
      name: 'heddle_http_large_requests_total',
      help: 'Requests executed by the thread for large requests.',
      labelNames: ['operation'],
      registers,
    })
    this.#ignoredFields = new Counter({
      name: 'heddle_http_ignored_fields_total',
      help: 'Fields of requests that no schema knows and that had no effect; the header Heddle-Ignored-Fields names them.',
      labelNames: ['operation'],
      registers,
    })
    this.#discarded = new Counter({
      name: 'heddle_otlp_discarded_total',
      help: 'Spans, log records and data points of OpenTelemetry that were not stored; the partial success of the response says why.',
      labelNames: ['operation'],
      registers,
    })
    this.#eventLoopTimer = observeEventLoop(
      new Histogram({
        name: 'heddle_event_loop_delay_seconds',
        help: 'How late timers of the main thread run, sampled ten times per second. High values mean that it is blocked.',
        buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
        registers,
      }),
    )
    void new Gauge({
      name: 'heddle_http_in_flight_requests',
      help: 'Requests in progress.',
      registers,
      collect() {
        this.set(leases()['requests'] ?? 0)
      },
    })
    void new Gauge({
      name: 'heddle_leases',
      help: 'What requests hold now, by kind. All are 0 when no request is in progress.',
      labelNames: ['kind'],
      registers,
      collect() {
        for (const [kind, count] of Object.entries(leases())) this.set({ kind }, count)
      },
    })
    void new Gauge({
      name: 'heddle_http_in_flight_bytes',
      help: 'Bytes of request bodies held in memory.',
      registers,
      collect() {
        this.set(memoryBudget.bytes)
      },
    })
    void new Gauge({
      name: 'heddle_http_waiting_requests',
      help: 'Requests waiting for memory for their body.',
      registers,
      collect() {
        this.set(memoryBudget.waiting)
      },
    })
  }

  recordResponse(operation: string, status: number, seconds: number, bytes: number): void {
    this.#requests.inc({ operation, status })
    this.#seconds.observe({ operation }, seconds)
    if (bytes > 0) this.#bytes.inc({ operation }, bytes)
  }

  recordError(code: string): void {
    this.#errors.inc({ code })
  }

  recordLargeRequest(operation: string): void {
    this.#largeRequests.inc({ operation })
  }

  recordIgnoredFields(operation: string, count: number): void {
    this.#ignoredFields.inc({ operation }, count)
  }

  recordDiscarded(operation: string, count: number): void {
    this.#discarded.inc({ operation }, count)
  }

  stop(): void {
    clearInterval(this.#eventLoopTimer)
  }
}

/**
 * The default metrics without those of the event loop, which has a histogram of its own here: their monitor wakes an idle
 * server a hundred times per second.
 */
function collectProcessMetrics(register: Registry): void {
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: 2 ** 31 - 1 })
  for (const { name } of register.getMetricsAsArray())
    if (name.startsWith('nodejs_eventloop_lag')) register.removeSingleMetric(name)
}

/** Sampling every 20 ms took 1 % of a core of an idle server. */
const EVENT_LOOP_SAMPLE_MS = 100

function observeEventLoop(delays: Histogram): NodeJS.Timeout {
  let lastMs = performance.now()
  const sample = (): void => {
    const nowMs = performance.now()
    delays.observe(Math.max(0, nowMs - lastMs - EVENT_LOOP_SAMPLE_MS) / 1000)
    lastMs = nowMs
  }
  return setInterval(sample, EVENT_LOOP_SAMPLE_MS).unref()
}
