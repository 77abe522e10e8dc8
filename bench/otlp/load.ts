import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import grpc from '@grpc/grpc-js'
import { encodeTraces } from '../../test/otlp/encode.ts'
import { Connection } from '../ingest/connection.ts'
import type { Outcome } from '../ingest/load.ts'
import { makeSpans, SEED, type SpanDialect } from './spans.ts'
import { SpanTemplate } from './templates.ts'

/**
 * The load generator, a separate process: takes an `OtlpLoad` as its argument, prints a line when it is ready, waits for
 * one to begin, and prints an `Outcome`.
 */
export interface OtlpLoad {
  readonly kind: LoadKind
  readonly dialect: SpanDialect
  readonly url: string
  readonly grpcUrl: string
  readonly authorization: string
  readonly seconds: number
  readonly connections: number
  /** Spans or calls per request. */
  readonly batch: number
  /** Open loop: requests start at this rate, whether or not earlier ones have finished; 0 = closed loop. */
  readonly spansPerSecond: number
  /** A file with the records that the same spans became, for `complete`. */
  readonly records: string
}

export type LoadKind = 'complete' | 'protobuf' | 'json' | 'grpc'

/** Sends a body; returns whether it was stored. */
type Post = (body: Buffer) => Promise<boolean>

interface Client {
  readonly template: SpanTemplate
  readonly post: Post
  readonly close: () => void
}

/** Each connection has spans of its own. */
async function openClients(load: OtlpLoad): Promise<Client[]> {
  const { connections, batch, kind } = load
  const templates = (kind === 'complete' ? recordTemplates : spanTemplates)(load)
  return Promise.all(
    Array.from({ length: connections }, async (_, n) => {
      const template = templates[n]
      if (template?.spans !== batch) throw new Error(`connection ${n} has ${template?.spans} spans`)
      return { template, ...(kind === 'grpc' ? openGrpc(load) : await openHttp(load)) }
    }),
  )
}

function spanTemplates({ connections, batch, dialect, kind }: OtlpLoad): SpanTemplate[] {
  const spans = makeSpans(connections * batch, SEED, dialect)
  const encoding = kind === 'json' ? 'json' : 'protobuf'
  return Array.from({ length: connections }, (_, n) => {
    const bytes = encodeTraces(spans.slice(n * batch, (n + 1) * batch), encoding)
    return new SpanTemplate(bytes, encoding === 'json')
  })
}

function recordTemplates({ connections, batch, records }: OtlpLoad): SpanTemplate[] {
  const lines = readFileSync(records, 'utf8').trimEnd().split('\n')
  return Array.from({ length: connections }, (_, n) => {
    const text = `{"batch":[${lines.slice(n * batch, (n + 1) * batch).join(',')}]}`
    return new SpanTemplate(Buffer.from(text), true)
  })
}

const PATHS: Readonly<Record<Exclude<LoadKind, 'grpc'>, string>> = {
  complete: '/v2/admin/bench/calls/complete',
  protobuf: '/otel/v1/traces',
  json: '/otel/v1/traces',
}

async function openHttp({ kind, url, authorization }: OtlpLoad): Promise<Omit<Client, 'template'>> {
  const type = kind === 'protobuf' ? 'application/x-protobuf' : 'application/json'
  const connection = await Connection.open(new URL(url), authorization, type)
  const path = PATHS[kind as keyof typeof PATHS]
  return {
    post: async (body) => (await connection.post(path, body)) === 200,
    close: () => connection.close(),
  }
}

const EXPORT = '/opentelemetry.proto.collector.trace.v1.TraceService/Export'

function openGrpc({ grpcUrl, authorization }: OtlpLoad): Omit<Client, 'template'> {
  const client = new grpc.Client(new URL(grpcUrl).host, grpc.credentials.createInsecure(), {
    // A connection for each client.
    'grpc.use_local_subchannel_pool': 1,
  })
  const metadata = new grpc.Metadata()
  metadata.set('authorization', authorization)
  const asBytes = (bytes: Buffer): Buffer => bytes
  return {
    post: (body) =>
      new Promise((resolve) => {
        client.makeUnaryRequest(EXPORT, asBytes, asBytes, body, metadata, (error) => resolve(error === null))
      }),
    close: () => client.close(),
  }
}

async function run(load: OtlpLoad): Promise<Outcome> {
  const clients = await openClients(load)
  console.log('ready')
  await once(process.stdin, 'data')
  process.stdin.destroy()
  // Different from the ids of the previous run.
  const firstStream = 1 + (Date.now() % 0x7fff) * 0x100
  const times: number[] = []
  let calls = 0
  let refused = 0
  const started = performance.now()
  const until = started + load.seconds * 1_000
  const due = schedule(load, started)
  await Promise.all(
    clients.map(async ({ template, post, close }, n) => {
      for (let next = 0; ; next += load.batch) {
        const at = await due()
        if (at >= until) break
        const isStored = await post(template.fill(firstStream + n, next))
        times.push(performance.now() - at)
        if (isStored) calls += load.batch
        else {
          refused++
          // Back off, as an exporter would.
          await new Promise((wait) => setTimeout(wait, 100))
        }
      }
      close()
    }),
  )
  times.sort((a, b) => a - b)
  const percentile = (share: number): number =>
    Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0)
  return {
    calls,
    requests: times.length,
    refused,
    seconds: (performance.now() - started) / 1_000,
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
  }
}

/** Waits until the next request is due and returns its scheduled time. */
function schedule({ spansPerSecond, batch }: OtlpLoad, started: number): () => Promise<number> {
  if (spansPerSecond === 0) return async () => performance.now()
  const everyMs = (batch / spansPerSecond) * 1_000
  let n = 0
  return async () => {
    const at = started + n++ * everyMs
    const wait = at - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    return at
  }
}

console.log(JSON.stringify(await run(JSON.parse(process.argv[2] ?? '{}') as OtlpLoad)))
