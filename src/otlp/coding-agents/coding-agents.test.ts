import { describe, expect, test } from 'vitest'
import { claudeCodeLogs, codexLogs, geminiCliLogs } from '../../../test/otlp/coding-agents.ts'
import { parsedCall, testSpan } from '../../../test/otlp/span-fixture.ts'
import { readDump } from '../dump.ts'
import { mapLog } from '../map-log.ts'
import { mapSpan } from '../map-span.ts'
import type { AttributeValue, LogRecord } from '../model.ts'
import { repeatsLogs } from './gemini-cli.ts'

const mapped = (records: readonly LogRecord[]) => records.map(mapLog)

/** The calls by op name, with what other records add to their output. */
function callsOf(records: readonly LogRecord[]) {
  const logs = mapped(records)
  return logs.flatMap(({ call, feedback }) => {
    if (call === undefined) return []
    const added = logs.flatMap(({ contents }) => contents.filter(({ call_id }) => call_id === call.id))
    return [{ ...parsedCall({ call, feedback }), added: added.map(({ output }) => output?.toJSON()) }]
  })
}

const named = (calls: ReturnType<typeof callsOf>, name: string) =>
  calls.filter(({ op_name }) => op_name === name)

function changed(record: LogRecord, attributes: Readonly<Record<string, AttributeValue>>): LogRecord {
  return { ...record, attributes: new Map([...record.attributes, ...Object.entries(attributes)]) }
}

const recordOf = (records: readonly LogRecord[], event: string): LogRecord =>
  records.find(({ attributes }) => attributes.get('event.name') === event)!

const answer = (content: string) => ({
  messages: [{ role: 'assistant', parts: [{ type: 'text', content }] }],
})
const QUESTION = [{ role: 'user', parts: [{ type: 'text', content: 'What is the weather?' }] }]

describe('a prompt to Claude Code', () => {
  const calls = callsOf(claudeCodeLogs())
  const [prompt] = named(calls, 'claude_code.interaction')
  const requests = named(calls, 'claude_code.llm_request')

  test('is a trace in the thread of the session, with its answers', () => {
    expect(calls).toHaveLength(4)
    expect(new Set(calls.map(({ trace_id }) => trace_id)).size).toBe(1)
    expect(prompt).toMatchObject({
      parent_id: '',
      thread_id: 'session-1',
      turn_id: prompt?.id,
      inputs: { messages: QUESTION },
      attributes: { kind: 'agent', user_id: 'ada@example.com' },
      added: [answer('I will look.'), answer('The answer is sunny.')],
    })
    expect(calls.slice(1).map(({ parent_id }) => parent_id)).toEqual([prompt?.id, prompt?.id, prompt?.id])
  })

  test('has its requests with tokens, cost, time and response', () => {
    expect(requests).toMatchObject([
      {
        attributes: {
          kind: 'llm',
          model: 'claude-opus-5-5',
          provider: 'anthropic',
          response_id: 'req_session-1_1',
        },
        summary: {
          usage: {
            'claude-opus-5-5': {
              requests: 1,
              prompt_tokens: 110,
              completion_tokens: 20,
              cache_read_input_tokens: 40,
              cache_creation_input_tokens: 10,
              cache_creation_5m_input_tokens: 10,
            },
          },
          cost_reported: { total: 0.000698 },
          ttft_ms: 220,
        },
        added: [answer('I will look.')],
      },
      { added: [answer('The answer is sunny.')] },
    ])
    const { call } = mapLog(recordOf(claudeCodeLogs(), 'api_request'))
    expect(call!.end!.ended_at - call!.started_at).toBe(409_000n)
  })

  test('has its tools', () => {
    expect(named(calls, 'Bash')).toMatchObject([
      {
        attributes: { kind: 'tool', tool: { name: 'Bash', call_id: 'toolu_session-1' } },
        inputs: { command: 'echo hi' },
        exception: null,
      },
    ])
  })

  test('that fails has an error', () => {
    const failed = changed(recordOf(claudeCodeLogs(), 'api_request'), {
      'event.name': 'api_error',
      error: 'Overloaded',
      status_code: 529n,
    })
    const request = { ...failed, body: 'claude_code.api_error' }
    const tool = changed(recordOf(claudeCodeLogs(), 'tool_result'), {
      success: 'false',
      error_type: 'ShellError',
    })
    const rejected = changed(recordOf(claudeCodeLogs(), 'tool_decision'), {
      decision: 'reject',
      source: 'user_reject',
    })
    expect(callsOf([request, tool, rejected]).map(({ exception }) => exception)).toEqual([
      'Overloaded',
      'ShellError',
      'rejected by user_reject',
    ])
  })

  test('without an id is in the trace of the session, without a root', () => {
    const old = claudeCodeLogs().map((record) => changed(record, { 'prompt.id': '' }))
    const oldCalls = callsOf(old)
    expect(oldCalls.map(({ parent_id }) => parent_id)).toEqual(['', '', '', ''])
    expect(new Set(oldCalls.map(({ trace_id }) => trace_id)).size).toBe(1)
    expect(new Set(oldCalls.map(({ id }) => id)).size).toBe(4)
  })

  test('has no redacted texts', () => {
    const logs = claudeCodeLogs()
    const redacted = changed(recordOf(logs, 'user_prompt'), { prompt: '<REDACTED>' })
    expect(callsOf([redacted])[0]?.inputs).toEqual({})
    expect(mapLog(changed(recordOf(logs, 'assistant_response'), { response: '<REDACTED>' }))).toMatchObject({
      contents: [],
      ignored: expect.stringMatching(/OTEL_LOG_ASSISTANT_RESPONSES/) as unknown,
    })
  })

  test('that is logged within its span only adds its answers to it', () => {
    const ids = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' }
    const logs = mapped(claudeCodeLogs().map((record) => ({ ...record, ...ids })))
    expect(logs.flatMap(({ call }) => call ?? [])).toEqual([])
    expect(logs.flatMap(({ contents }) => contents.map(({ call_id }) => call_id))).toEqual(
      Array(2).fill('8448eb211c80319cb7ad6b7169203331'),
    )
  })

  test('has the bodies of responses, which are logged on request', () => {
    const record = changed(recordOf(claudeCodeLogs(), 'api_request'), {
      'event.name': 'api_response_body',
      body: '{"id":"msg_1","content":[]}',
    })
    const [content] = mapLog({ ...record, body: 'claude_code.api_response_body' }).contents
    expect(content?.call_id).toBe(requests[0]?.id)
    expect(content?.output?.toJSON()).toEqual({ response: { id: 'msg_1', content: [] } })
  })
})

describe('a conversation with Codex', () => {
  const calls = callsOf(codexLogs())
  const [root] = named(calls, 'codex.conversation')

  test('is a trace and a thread, whose turns are its prompts', () => {
    expect(calls.map(({ op_name }) => op_name)).toEqual([
      'codex.conversation',
      'codex.prompt',
      'codex.llm_request',
      'exec_command',
      'codex.llm_request',
    ])
    expect(new Set(calls.map(({ thread_id }) => thread_id))).toEqual(new Set(['conversation-1']))
    expect(calls.map(({ parent_id }) => parent_id)).toEqual(['', ...Array<string>(4).fill(root!.id)])
    const [prompt] = named(calls, 'codex.prompt')
    expect(prompt).toMatchObject({ turn_id: prompt?.id, inputs: { messages: QUESTION } })
    expect(root?.turn_id).toBe('')
  })

  test('has tokens and tools', () => {
    expect(named(calls, 'codex.llm_request')[0]?.summary).toEqual({
      usage: {
        'gpt-5-codex': {
          requests: 1,
          prompt_tokens: 100,
          completion_tokens: 20,
          total_tokens: 120,
          cache_read_input_tokens: 40,
          cache_creation_input_tokens: 0,
          reasoning_tokens: 5,
        },
      },
      ttft_ms: 1,
    })
    expect(named(calls, 'exec_command')).toMatchObject([
      {
        inputs: { cmd: 'echo hi' },
        output: 'Process exited with code 0\nOutput:\nhi\n',
        attributes: { kind: 'tool', tool: { call_id: 'call_1' } },
      },
    ])
  })

  test('that fails has an error', () => {
    const request = changed(recordOf(codexLogs(), 'codex.api_request'), { 'error.message': 'unauthorized' })
    const tool = changed(recordOf(codexLogs(), 'codex.tool_result'), { success: 'false' })
    expect(callsOf([request, tool]).map(({ exception }) => exception)).toEqual([
      'unauthorized',
      'the tool failed',
    ])
  })
})

describe('a prompt to Gemini CLI', () => {
  const calls = callsOf(geminiCliLogs())

  test('is a trace in the thread of the session', () => {
    expect(calls.map(({ op_name }) => op_name)).toEqual([
      'gemini_cli.prompt',
      'gemini_cli.llm_request',
      'list_directory',
      'gemini_cli.llm_request',
    ])
    const [prompt, ...others] = calls
    expect(prompt).toMatchObject({
      thread_id: 'session-1',
      turn_id: prompt?.id,
      inputs: { messages: QUESTION },
    })
    expect(others.map(({ parent_id }) => parent_id)).toEqual(Array(3).fill(prompt?.id))
  })

  test('has tokens, tools, and responses joined from their chunks', () => {
    const [first, second] = named(calls, 'gemini_cli.llm_request')
    expect(first).toMatchObject({
      attributes: {
        kind: 'llm',
        provider: 'gcp.gemini',
        model: 'gemini-2.5-flash',
        user_id: 'ada@example.com',
      },
      summary: {
        usage: {
          'gemini-2.5-flash': {
            prompt_tokens: 100,
            completion_tokens: 20,
            total_tokens: 120,
            cache_read_input_tokens: 40,
            reasoning_tokens: 5,
          },
        },
      },
      output: {
        messages: [{ parts: [{ type: 'tool_call', name: 'list_directory', arguments: { dir_path: '.' } }] }],
      },
    })
    expect(second?.output).toMatchObject(answer('The answer is sunny.'))
    expect(named(calls, 'list_directory')).toMatchObject([{ inputs: { dir_path: '.' }, exception: null }])
  })

  test('that fails has an error', () => {
    const request = changed(recordOf(geminiCliLogs(), 'gemini_cli.api_response'), {
      'event.name': 'gemini_cli.api_error',
      error: 'quota exceeded',
    })
    expect(callsOf([request])[0]).toMatchObject({ exception: 'quota exceeded' })
  })

  test('has spans that say less than its log records, unless they have messages', () => {
    const attributes = { 'gen_ai.request.model': 'gemini-2.5-flash', 'gen_ai.conversation.id': 'session-1' }
    expect(repeatsLogs(testSpan({ name: 'llm_call', scope: 'gemini-cli', attributes }))).toBe(true)
    expect(repeatsLogs(testSpan({ name: 'llm_call', scope: 'other', attributes }))).toBe(false)
    const span = testSpan({
      name: 'llm_call',
      scope: 'gemini-cli',
      attributes: { ...attributes, 'gen_ai.input.messages': '[]', 'gen_ai.usage.input_tokens': 100n },
    })
    expect(repeatsLogs(span)).toBe(false)
    expect(mapSpan(span).call.end?.summary.toJSON()).toEqual({})
  })
})

describe('every log record of a coding agent', () => {
  const all = [...claudeCodeLogs(), ...codexLogs(), ...geminiCliLogs()]

  test('has the same calls each time, also when they are mapped again', () => {
    expect(mapped(all)).toEqual(mapped(all))
    const calls = mapped(all).flatMap(({ call }) => call ?? [])
    expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length)
    for (const call of calls) expect(mapSpan(readDump(call.otel_dump.text)!).call).toEqual(call)
  })

  test('is stored, or its sender is told why not', () => {
    for (const { call, contents, ignored } of mapped(all))
      expect(call !== undefined || contents.length > 0).toBe(ignored === undefined)
    for (const agent of ['claude_code', 'codex', 'gemini_cli']) {
      const other = changed(all[0]!, { 'event.name': `${agent}.of_another_version` })
      expect(mapLog(other).ignored).toMatch(/are kept$/)
    }
  })
})
