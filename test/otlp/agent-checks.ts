import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import type { Checks, Stack } from './stack-checks.ts'

/** Checks of programs/agent_logs.py. */
const agentLogs: Checks = {
  'a trace of a prompt, in its thread': (calls) => {
    deepStrictEqual(
      calls.map(({ op_name, attributes }) => [op_name, attributes['kind']]),
      [
        ['claude_code.interaction', 'agent'],
        ['claude_code.llm_request', 'llm'],
        ['Bash', 'tool'],
        ['claude_code.llm_request', 'llm'],
      ],
    )
    const [prompt, ...others] = calls
    strictEqual(prompt?.thread_id, 'session-1')
    strictEqual(prompt.attributes['user_id'], 'ada@example.com')
    for (const { parent_id, trace_id } of others)
      deepStrictEqual([parent_id, trace_id], [prompt.id, prompt.trace_id])
  },
  'tokens and cost': ([, request]) => {
    const { usage = {}, cost_reported } = (request?.summary ?? {}) as Record<string, Record<string, unknown>>
    const { requests, prompt_tokens, completion_tokens } = usage['claude-sonnet-4-5'] as Record<
      string,
      unknown
    >
    deepStrictEqual(
      [requests, prompt_tokens, completion_tokens, cost_reported?.['total']],
      [1, 110, 20, 0.0007],
    )
  },
  'the prompt, the tool with its error, and the response': ([prompt, , tool, request]) => {
    deepStrictEqual(prompt?.inputs, {
      messages: [{ role: 'user', parts: [{ type: 'text', content: 'How warm is it in Zürich?' }] }],
    })
    deepStrictEqual([tool?.inputs, tool?.exception], [{ command: 'weather' }, 'exit code 1'])
    const output = { messages: [{ role: 'assistant', parts: [{ type: 'text', content: '21.5 °C' }] }] }
    deepStrictEqual([prompt?.output, request?.output], [output, output])
  },
}

export const agentStacks: Readonly<Record<string, Stack>> = {
  'agent-logs-http': { checks: agentLogs },
  'agent-logs-grpc': { checks: agentLogs },
}
