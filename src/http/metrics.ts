import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { MemoryBudget } from './memory-budget.ts'

/** Prometheus metrics. Labels are names of our own (operations, statuses): never a client's text. */
export class Metrics {
  readonly registry = new Registry()
  readonly #requests: Counter<'operation' | 'status'>
  readonly #seconds: Histogram<'operation'>
  readonly #bytes: Counter<'operation'>
  readonly #problems: Counter<'code'>

  constructor(inFlight: MemoryBudget) {
    const registers = [this.registry]
    collectDefaultMetrics({ register: this.registry })
    this.#requests = new Counter({
      name: 'heddle_http_requests_total',
      help: 'Answered requests.',
      labelNames: ['operation', 'status'],
      registers,
    })
    this.#seconds = new Histogram({
      name: 'heddle_http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last of its answer.',
      labelNames: ['operation'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers,
    })
    this.#bytes = new Counter({
      name: 'heddle_http_request_bytes_total',
      help: 'Bytes of request bodies, decoded.',
      labelNames: ['operation'],
      registers,
    })
    this.#problems = new Counter({
      name: 'heddle_http_errors_total',
      help: 'Requests answered with a problem, by its code.',
      labelNames: ['code'],
      registers,
    })
    void new Gauge({
      name: 'heddle_http_in_flight_requests',
      help: 'Requests being worked on.',
      registers,
      collect() {
        this.set(inFlight.requests)
      },
    })
    void new Gauge({
      name: 'heddle_http_in_flight_bytes',
      help: 'Bytes of request bodies held in memory.',
      registers,
      collect() {
        this.set(inFlight.bytes)
      },
    })
    void new Gauge({
      name: 'heddle_http_waiting_requests',
      help: 'Requests that wait for memory for their body.',
      registers,
      collect() {
        this.set(inFlight.waiting)
      },
    })
  }

  answered(operation: string, status: number, seconds: number, bytes: number): void {
    this.#requests.inc({ operation, status })
    this.#seconds.observe({ operation }, seconds)
    if (bytes > 0) this.#bytes.inc({ operation }, bytes)
  }

  problem(code: string): void {
    this.#problems.inc({ code })
  }
}
