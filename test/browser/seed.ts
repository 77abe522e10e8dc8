import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RawJson } from '../../src/contract/raw-json.ts'
import type { InputOf } from '../../src/contract/operations.ts'
import { clickhouseClient } from '../../bench/ingest/bare.ts'
import { fill, READS_PROJECT } from '../../bench/reads/fill.ts'
import type { Client } from '../../src/client/client.ts'
import { findRunningClickHouse } from '../../src/clickhouse/running.ts'
import { waitUntil } from './waits.ts'

/** Seed data of the browser tests. Times are relative to now, so that the default time range shows the calls. */

export const SHOP = 'admin/shop'
export const BIG = 'admin/big'
export const OLD = 'admin/old'
export const EMPTY = 'admin/empty'
/** The demo data, whose threads the tests use. */
export const THREADS = 'admin/support-bot'

type Complete = InputOf<'calls_complete'>['batch'][number]

const HOUR_MS = 3_600_000

export async function seed(api: Client): Promise<void> {
  await seedShop(api)
  await api.call('project_demo', { entity: 'admin', project: 'support-bot' })
  await seedOld(api)
}

/** Large seeds, which are slow to create and are created when a journey first needs them. */
export interface LargeSeeds {
  /** One trace of 50,000 calls, and one call of 20 MB. */
  readonly big: () => Promise<void>
  /** A project of a million calls, one of which is very slow. */
  readonly million: () => Promise<void>
}

/** Creates when first called by any worker. Later calls wait for that, and fail if it failed. */
export async function createOnce(data: string, name: string, create: () => Promise<void>): Promise<void> {
  const result = join(data, `${name}.created`)
  try {
    mkdirSync(join(data, `${name}.lock`))
  } catch {
    await waitUntil(`${name} is created`, async () => existsSync(result), 240_000)
    const failure = readFileSync(result, 'utf8')
    if (failure !== '') throw new Error(failure)
    return
  }
  await create().then(
    () => writeFileSync(result, ''),
    (error: unknown) => {
      writeFileSync(result, String(error))
      throw error
    },
  )
}

function at(ms: number): string {
  return new Date(ms).toISOString()
}

function complete(
  project_id: string,
  id: string,
  fields: Partial<Complete> & { startMs: number; ms: number },
): Complete {
  const { startMs, ms, ...rest } = fields
  return {
    project_id,
    id,
    trace_id: id,
    op_name: 'answer',
    started_at: at(startMs),
    ended_at: at(startMs + ms),
    attributes: RawJson.fromValue({}),
    inputs: RawJson.fromValue({}),
    output: RawJson.fromValue(null),
    summary: RawJson.fromValue({}),
    ...rest,
  }
}

async function store(api: Client, project_id: string, batch: Complete[]): Promise<void> {
  const [entity = '', project = ''] = project_id.split('/')
  await api.call('calls_complete', { entity, project, batch })
}

const QUESTIONS = [
  'Where is my order?',
  'Do you ship to Zürich?',
  'I want a refund',
  'Is it in stock?',
  'Who are you?',
]

/** 60 traces of an agent that calls a tool and an LLM. Every seventh fails, one is very slow. */
export async function seedShop(api: Client): Promise<void> {
  const now = Date.now()
  const batch: Complete[] = []
  for (let i = 0; i < 60; i++) {
    const id = `shop-${i}`
    const startMs = now - (i + 1) * 20 * 60_000
    const isFailed = i % 7 === 3
    const ms = i === 17 ? 42_000 : 900 + i * 13
    const model = i % 3 === 0 ? 'gpt-4o' : 'gpt-4o-mini'
    const question = QUESTIONS[i % QUESTIONS.length] ?? ''
    const usage = {
      [model]: { requests: 1, prompt_tokens: 820 + i, completion_tokens: 90 + i, total_tokens: 910 + 2 * i },
    }
    batch.push(
      complete(SHOP, id, {
        startMs,
        ms,
        op_name: 'shop_agent',
        attributes: RawJson.fromValue({ env: i % 2 === 0 ? 'prod' : 'test', weave: { kind: 'agent' } }),
        inputs: RawJson.fromText(
          `{"question": ${JSON.stringify(question)}, "user": {"tier": "${i % 4 === 0 ? 'gold' : 'free'}"}, "temperature": 1.0, "order": 12345678901234567890}`,
        ),
        ...(isFailed
          ? {
              exception: `Traceback (most recent call last):\n  File "agent.py", line ${i}, in shop_agent\nTimeoutError: no answer in 30 s`,
            }
          : { output: RawJson.fromValue({ text: `Answer ${i}`, score: i / 60 }) }),
        summary: RawJson.fromValue({ usage, status_counts: { success: 2, error: isFailed ? 1 : 0 } }),
        ...(i % 5 === 0 ? { thread_id: 'thread-1' } : {}),
      }),
      complete(SHOP, `${id}-search`, {
        trace_id: id,
        parent_id: id,
        startMs: startMs + 40,
        ms: 210,
        op_name: 'search_orders',
        attributes: RawJson.fromValue({ weave: { kind: 'tool' } }),
        inputs: RawJson.fromValue({ q: `order ${i}` }),
        output: RawJson.fromValue([{ doc: 'o7', rank: 1 }]),
      }),
      complete(SHOP, `${id}-llm`, {
        trace_id: id,
        parent_id: id,
        startMs: startMs + 300,
        ms: Math.max(100, ms - 400),
        op_name: 'openai.chat.completions.create',
        attributes: RawJson.fromValue({ weave: { kind: 'llm' } }),
        inputs: RawJson.fromValue({
          model,
          messages: [
            { role: 'system', content: 'You answer questions about orders. Be kind.' },
            { role: 'user', content: question },
            {
              role: 'assistant',
              content: null,
              tool_calls: [
                {
                  id: 'c1',
                  type: 'function',
                  function: { name: 'search_orders', arguments: `{"q": "order ${i}"}` },
                },
              ],
            },
            { role: 'tool', tool_call_id: 'c1', content: '[{"doc": "o7", "rank": 1}]' },
          ],
        }),
        output: RawJson.fromValue({
          choices: [
            {
              index: 0,
              finish_reason: 'stop',
              message: { role: 'assistant', content: `Answer ${i}: on its way.` },
            },
          ],
        }),
        summary: RawJson.fromValue({ usage }),
        ...(isFailed ? { exception: 'TimeoutError: no answer in 30 s' } : {}),
      }),
    )
  }
  batch.push(hostile(now))
  await store(api, SHOP, batch)
  await api.call('feedback_create', {
    project_id: SHOP,
    weave_ref: `weave:///${SHOP}/call/shop-1`,
    feedback_type: 'wandb.note.1',
    payload: RawJson.fromValue({ note: 'We do ship to Zürich!' }),
  })
  await api.call('feedback_create', {
    project_id: SHOP,
    weave_ref: `weave:///${SHOP}/call/shop-2`,
    feedback_type: 'wandb.reaction.1',
    payload: RawJson.fromValue({ emoji: '👍' }),
  })
  await api.call('call_start', {
    start: {
      project_id: SHOP,
      id: 'shop-running',
      trace_id: 'shop-running',
      op_name: 'shop_agent',
      started_at: at(now - 4 * 60_000),
      attributes: RawJson.fromValue({}),
      inputs: RawJson.fromValue({ question: 'Anybody there?' }),
    },
  })
}

/** A call with hostile values, which must only ever be rendered as text. */
function hostile(now: number): Complete {
  return complete(SHOP, 'shop-hostile', {
    startMs: now - HOUR_MS / 2,
    ms: 5,
    op_name: '<img src=x onerror="document.title=\'owned\'">',
    inputs: RawJson.fromValue({
      html: '<script>document.title="owned"</script><b>bold</b>',
      svg: '<svg onload="document.title=\'owned\'"><circle r="9"/></svg>',
      markdown: '[click](javascript:document.title="owned") ![x](http://example.invalid/x.png)',
      ansi: '\u001B[31mred\u001B[0m',
      rtl: '\u202Egnp.exe\u202C',
      line: 'x'.repeat(1_000_000),
    }),
    output: RawJson.fromValue('<iframe src="javascript:top.document.title=\'owned\'"></iframe>'),
    exception: '<marquee onstart="document.title=\'owned\'">boom</marquee>',
  })
}

export const BIG_TRACE_CALLS = 50_000

export async function seedBig(api: Client): Promise<void> {
  const startMs = Date.now() - 2 * HOUR_MS
  let batch: Complete[] = []
  for (let i = 0; i < BIG_TRACE_CALLS; i++) {
    batch.push(
      complete(BIG, `big-${i}`, {
        trace_id: 'big',
        ...(i === 0 ? {} : { parent_id: `big-${Math.floor((i - 1) / 9)}` }),
        startMs: startMs + i,
        ms: i === 0 ? BIG_TRACE_CALLS + 100 : 40,
        op_name: i % 3 === 0 ? 'plan' : i % 3 === 1 ? 'tool_call' : 'llm',
        inputs: RawJson.fromValue({ step: i }),
        output: RawJson.fromValue({ done: true }),
      }),
    )
    if (batch.length === 5000) {
      await store(api, BIG, batch)
      batch = []
    }
  }
  const rows = Array.from({ length: 100_000 }, (_, i) => ({
    id: i,
    text: `row ${i} ${'lorem ipsum dolor sit amet '.repeat(6)}`,
  }))
  await store(api, BIG, [
    complete(BIG, 'heavy', {
      startMs: Date.now() - HOUR_MS,
      ms: 900,
      op_name: 'load_everything',
      inputs: RawJson.fromValue({ rows }),
      output: RawJson.fromValue('done'),
    }),
  ])
}

export const MILLION = READS_PROJECT
export const SLOW_CALL = 'reindex_everything'

/** Generates a million calls inside ClickHouse, like the read benchmark, and sends one slow call through the API. */
export async function seedMillion(api: Client, data: string): Promise<void> {
  const clickhouse = await findRunningClickHouse(data)
  if (clickhouse === undefined) throw new Error('the server has no embedded ClickHouse')
  const startMs = performance.now()
  await fill({
    calls: 1_000_000,
    others: 0,
    untilMs: Date.now(),
    execute: clickhouseClient(clickhouse),
    print: () => undefined,
  })
  await store(api, MILLION, [
    complete(MILLION, 'slow', { startMs: Date.now() - 50 * HOUR_MS, ms: 17 * 60_000, op_name: SLOW_CALL }),
  ])
  console.log(`      created a million calls in ${Math.round((performance.now() - startMs) / 1000)} s`)
}

/** A project without recent calls. */
async function seedOld(api: Client): Promise<void> {
  await store(api, OLD, [
    complete(OLD, 'old-1', {
      startMs: Date.now() - 60 * 24 * HOUR_MS,
      ms: 10,
      inputs: RawJson.fromValue({ question: 'Then' }),
    }),
  ])
}
