import { describe, expect, test } from 'vitest'
import type { Call } from '../../src/contract/calls/calls.ts'
import { parseJsonLines, projectNames, useServer } from '../harness.ts'
import { claudeCodeLogs, codexLogs, geminiCliLogs } from '../otlp/coding-agents.ts'
import { encodeLogs, encodeTraces } from '../otlp/encode.ts'
import { testSpan } from '../otlp/span-fixture.ts'

/** Log records of coding agents on a real server. */

const server = useServer()
const newProject = projectNames('acme/agents')

async function send(project_id: string, body: Buffer, path = '/v1/logs') {
  const response = await fetch(server.url + path, {
    method: 'POST',
    body: new Uint8Array(body),
    headers: {
      'content-type': 'application/json',
      authorization: server.authorization,
      'project-id': project_id,
    },
  })
  const received: unknown = await response.json()
  return { status: response.status, body: received }
}

async function calls(project_id: string): Promise<Call[]> {
  const { text } = await server.send('/calls/stream_query', {
    project_id,
    sort_by: [{ field: 'started_at', direction: 'asc' }],
  })
  return parseJsonLines<Call>(text)
}

/** Without what each project has of its own. */
const told = (call: Call): unknown => ({ ...call, project_id: undefined })

const agents = { claudeCode: claudeCodeLogs(), codex: codexLogs(), geminiCli: geminiCliLogs() }

describe.each(Object.entries(agents))('%s', (_, records) => {
  test('has the same calls in any order and number', async () => {
    const project_id = newProject()
    expect((await send(project_id, encodeLogs(records, 'json'))).status).toBe(200)
    const expected = (await calls(project_id)).map(told)
    expect(expected.length).toBeGreaterThanOrEqual(4)
    const other = newProject()
    for (const record of records.toReversed()) await send(other, encodeLogs([record], 'json'))
    await send(other, encodeLogs(records, 'json'))
    expect((await calls(other)).map(told)).toEqual(expected)
  })
})

test('the response counts the records that are not kept, with reasons', async () => {
  const { body } = await send(newProject(), encodeLogs(claudeCodeLogs(), 'json'))
  expect(body).toEqual({
    partialSuccess: {
      rejectedLogRecords: '1',
      errorMessage: '1: an accepted tool call has its own log record',
    },
  })
})

test('a session is a thread, whose prompts are turns', async () => {
  const project_id = newProject()
  await send(project_id, encodeLogs([...claudeCodeLogs('s', 'p1'), ...claudeCodeLogs('s', 'p2')], 'json'))
  await send(project_id, encodeLogs(codexLogs('c'), 'json'))
  const { text } = await server.send('/threads/stream_query', { project_id })
  const threads = parseJsonLines<{ thread_id: string; turn_count: number }>(text)
  expect(threads.map(({ thread_id, turn_count }) => `${thread_id} ${turn_count}`).toSorted()).toEqual([
    'c 1',
    's 2',
  ])
})

test('the answers of the model are outputs of its requests and of the prompt', async () => {
  const project_id = newProject()
  await send(project_id, encodeLogs(claudeCodeLogs(), 'json'))
  const texts = (await calls(project_id)).map(({ op_name, output }) => [
    op_name,
    ((output as { messages?: { parts: { content: string }[] }[] } | null)?.messages ?? []).map(
      ({ parts }) => parts[0]?.content,
    ),
  ])
  expect(texts).toEqual([
    ['claude_code.interaction', ['I will look.', 'The answer is sunny.']],
    ['claude_code.llm_request', ['I will look.']],
    ['Bash', []],
    ['claude_code.llm_request', ['The answer is sunny.']],
  ])
})

test('spans of Gemini CLI without messages are not kept beside its log records', async () => {
  const project_id = newProject()
  const span = testSpan({
    name: 'llm_call',
    scope: 'gemini-cli',
    attributes: { 'gen_ai.request.model': 'g' },
  })
  const { body } = await send(project_id, encodeTraces([span], 'json'), '/v1/traces')
  expect(body).toMatchObject({ partialSuccess: { rejectedSpans: '1' } })
  expect(await calls(project_id)).toEqual([])
})

test('records that would repeat too much of their resource get 413', async () => {
  const resource = { attributes: new Map([['a', 'x'.repeat(1024 * 1024)]]), schemaUrl: '' }
  const [prompt] = claudeCodeLogs()
  const records = Array.from({ length: 70 }, (_, i) => ({ ...prompt!, resource, timeNanos: BigInt(i) }))
  expect((await send(newProject(), encodeLogs(records, 'json'))).status).toBe(413)
})
