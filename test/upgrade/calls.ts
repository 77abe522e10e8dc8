import { PROJECT, write } from './api.ts'

/** Calls in every way in which they are stored: complete, in parts, in any order, renamed, deleted, sent twice. */

export const CALL_IDS = {
  root: '019b0000-0000-7000-8000-000000000001',
  model: '019b0000-0000-7000-8000-000000000002',
  failed: '019b0000-0000-7000-8000-000000000003',
  apart: '019b0000-0000-7000-8000-000000000004',
  endFirst: '019b0000-0000-7000-8000-000000000005',
  running: '019b0000-0000-7000-8000-000000000006',
  deleted: '019b0000-0000-7000-8000-000000000007',
  replaced: '019b0000-0000-7000-8000-000000000008',
} as const

export const TRACE_ID = 'trace-of-the-shop'
/** Long ago, so that the call that is running is stale whenever it is read. */
const at = (second: number): string => `2026-01-15T10:00:${String(second).padStart(2, '0')}.000001Z`

function start(id: string, second: number, more: object = {}): object {
  return {
    project_id: PROJECT,
    id,
    trace_id: TRACE_ID,
    op_name: `weave:///${PROJECT}/op/answer:0123456789abcdef`,
    started_at: at(second),
    attributes: { env: 'production', tags: ['vip', 'refund'], user_id: 'customer-7' },
    inputs: { question: `Where is order ${second}?` },
    ...more,
  }
}

function end(id: string, second: number, more: object = {}): object {
  return {
    project_id: PROJECT,
    id,
    ended_at: at(second),
    output: { answer: 'On its way.' },
    summary: {},
    ...more,
  }
}

const USAGE = {
  usage: {
    'fixture-model': { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150, requests: 1 },
    'unpriced-model': { input_tokens: 7, output_tokens: 3 },
  },
  ttft_ms: 120.5,
}

/** Numbers, keys and text that only survive if the document is kept as it was sent. */
const EXACT = {
  float: '<1.0>',
  large: '<12345678901234567890123>',
  'a key.with dots': { '': [null, true, { deep: '☃ \u{1f600} \u0000' }] },
}

/** JSON in which `"<1.0>"` is the number 1.0. */
function exactJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"<([\d.]+)>"/g, '$1')
}

export async function writeCalls(url: string): Promise<void> {
  const ids = CALL_IDS
  const trace = {
    batch: [
      {
        ...start(ids.root, 1, { thread_id: 'thread-1', turn_id: ids.root, wb_run_id: 'acme/run' }),
        ...end(ids.root, 9),
      },
      {
        ...start(ids.model, 2, {
          parent_id: ids.root,
          inputs: EXACT,
          op_name: 'openai.chat.completions.create',
        }),
        ...end(ids.model, 5, { summary: USAGE, output: EXACT }),
      },
      {
        ...start(ids.failed, 3, { parent_id: ids.root, display_name: 'Look up the order' }),
        ...end(ids.failed, 4, {
          output: null,
          exception: 'Traceback (most recent call last):\n  File "a.py"\nValueError: no order',
        }),
      },
    ],
  }
  await write(url, 'POST', `/v2/${PROJECT}/calls/complete`, exactJson(trace))
  await write(url, 'POST', '/call/start', { start: start(ids.apart, 11, { trace_id: 'trace-apart' }) })
  await write(url, 'POST', '/call/end', { end: end(ids.apart, 12, { summary: USAGE }) })
  await write(url, 'POST', '/call/upsert_batch', {
    batch: [
      { mode: 'end', req: { end: end(ids.endFirst, 14) } },
      { mode: 'start', req: { start: start(ids.running, 15, { trace_id: 'trace-running' }) } },
    ],
  })
  await write(url, 'POST', '/call/start', { start: start(ids.endFirst, 13, { trace_id: 'trace-end-first' }) })
  await write(url, 'POST', '/call/update', {
    project_id: PROJECT,
    call_id: ids.apart,
    display_name: 'Renamed by Ada',
  })
  await write(url, 'POST', `/v2/${PROJECT}/calls/complete`, {
    batch: [{ ...start(ids.deleted, 16, { trace_id: 'trace-deleted' }), ...end(ids.deleted, 17) }],
  })
  await write(url, 'POST', '/calls/delete', { project_id: PROJECT, call_ids: [ids.deleted] })
  const replaced = { ...start(ids.replaced, 18, { trace_id: 'trace-replaced' }), ...end(ids.replaced, 19) }
  // A resend, and another record of the same id: the last one wins.
  for (const output of ['first', 'first', 'second'])
    await write(url, 'POST', `/v2/${PROJECT}/calls/complete`, { batch: [{ ...replaced, output }] })
  await write(url, 'POST', `/v2/acme/other/calls/complete`, {
    batch: [
      {
        ...start(ids.root, 1, { project_id: 'acme/other' }),
        ...end(ids.root, 2, { project_id: 'acme/other' }),
      },
    ],
  })
}

/** A call from an OpenTelemetry span; returns its id. */
export async function writeSpan(url: string): Promise<string> {
  const attribute = (key: string, value: object): object => ({ key, value })
  const span = {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: 'b7ad6b7169203331',
    name: 'chat fixture-model',
    startTimeUnixNano: '1768471230000000000',
    endTimeUnixNano: '1768471231000000000',
    attributes: [
      attribute('gen_ai.operation.name', { stringValue: 'chat' }),
      attribute('gen_ai.request.model', { stringValue: 'fixture-model' }),
      attribute('gen_ai.usage.input_tokens', { intValue: '11' }),
    ],
  }
  const resource = {
    attributes: [
      attribute('wandb.entity', { stringValue: 'acme' }),
      attribute('wandb.project', { stringValue: 'shop' }),
    ],
  }
  const body = { resourceSpans: [{ resource, scopeSpans: [{ spans: [span] }] }] }
  await write(url, 'POST', '/otel/v1/traces', body)
  return span.traceId.slice(-16) + span.spanId
}
