import { readJson } from '../src/core/json/read.ts'
import { shapeOf } from '../src/core/json/shape.ts'
import { rawJson, rawObject } from '../src/contract/raw-json.ts'
import { z } from 'zod'

/** `npx tsx bench/json.ts`: throughput of `readJson` and `JSON.parse` on bodies of 100 calls of about 3.4 KB. */
const call = z.object({
  project_id: z.string(),
  id: z.string(),
  op_name: z.string(),
  display_name: z.string().nullish(),
  trace_id: z.string(),
  parent_id: z.string().nullish(),
  started_at: z.string(),
  ended_at: z.string(),
  attributes: rawObject,
  inputs: rawObject,
  output: rawJson.nullish(),
  summary: rawObject,
  exception: z.string().nullish(),
  wb_user_id: z.string().nullish(),
  wb_run_id: z.string().nullish(),
})
const shape = shapeOf(z.object({ batch: z.array(call) }))

const prose = 'The quick brown fox jumps over the lazy dog, and “says” nothing about it.\n'
function oneCall(n: number): unknown {
  return {
    project_id: 'acme/chatbot',
    id: `0190c5b0-3f4e-7d3a-9b1c-${n.toString(16).padStart(12, '0')}`,
    op_name: 'weave:///acme/chatbot/op/answer:8b3f9c1d7e5a4b2c6d8e9f0a1b2c3d4e5f6a7b8c9d0',
    display_name: null,
    trace_id: '0190c5b0-3f4e-7d3a-9b1c-ffffffffffff',
    parent_id: null,
    started_at: '2026-07-29T12:00:00.123456Z',
    ended_at: '2026-07-29T12:00:01.654321Z',
    attributes: {
      weave: { client_version: '0.52.1', source: 'python-sdk', os_name: 'Linux', sys_version: '3.12.1' },
    },
    inputs: {
      model: 'gpt-4o-mini',
      temperature: 0.7,
      max_tokens: 1024,
      messages: [
        { role: 'system', content: prose.repeat(6) },
        { role: 'user', content: prose.repeat(8) },
      ],
    },
    output: {
      id: `chatcmpl-${n}`,
      choices: [
        { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: prose.repeat(16) } },
      ],
      usage: { prompt_tokens: 512 + n, completion_tokens: 384, total_tokens: 896 + n },
    },
    summary: { usage: { 'gpt-4o-mini': { requests: 1, prompt_tokens: 512, completion_tokens: 384 } } },
    exception: null,
    wb_user_id: null,
    wb_run_id: null,
  }
}

const body = Buffer.from(JSON.stringify({ batch: Array.from({ length: 100 }, (_, n) => oneCall(n)) }))

/** Measures CPU time, so that other load on the machine does not distort it. */
function megabytesPerSecond(work: () => void): number {
  for (let i = 0; i < 50; i++) work()
  const rates: number[] = []
  for (let round = 0; round < 7; round++) {
    const start = process.cpuUsage().user
    for (let i = 0; i < 60; i++) work()
    rates.push((60 * body.length) / (process.cpuUsage().user - start))
  }
  return Math.round(rates.sort((a, b) => a - b)[3] ?? 0)
}

process.stdout.write(`${Math.round(body.length / 1e3)} KB body\n`)
process.stdout.write(`readJson    ${megabytesPerSecond(() => readJson(body, shape))} MB/s\n`)
process.stdout.write(`JSON.parse  ${megabytesPerSecond(() => JSON.parse(body.toString('utf8')))} MB/s\n`)
