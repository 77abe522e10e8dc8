import { attributesOf, double, type GivenObject } from './span-fixture.ts'
import type { LogRecord } from '../../src/otlp/model.ts'

/**
 * Log records as Claude Code 2.1.328, Codex 0.169.0 and Gemini CLI 0.61.0 sent them in a session with one prompt, two
 * requests to a model on loopback and one tool call, without attributes that nothing reads.
 */

const START = 1_763_164_800_000n

interface Sent {
  readonly ms: number
  readonly attributes: GivenObject
  readonly body?: string
  readonly eventName?: string
}

function records(
  service: string,
  scope: string,
  common: GivenObject,
  sent: readonly Sent[],
): readonly LogRecord[] {
  const resource = {
    attributes: attributesOf({ 'service.name': service, 'service.version': '1.0.0' }),
    schemaUrl: '',
  }
  return sent.map(({ ms, attributes, body, eventName = '' }) => ({
    resource,
    scope: { name: scope, version: '', attributes: new Map(), schemaUrl: '' },
    traceId: '',
    spanId: '',
    // As decoded: the attribute stands in for a name that was not sent.
    eventName: eventName || nameIn(attributes),
    timeNanos: (START + BigInt(ms)) * 1_000_000n,
    body: body ?? null,
    attributes: attributesOf({ ...common, ...attributes }),
  }))
}

function nameIn({ 'event.name': name }: GivenObject): string {
  return typeof name === 'string' ? name : ''
}

export function claudeCodeLogs(session = 'session-1', prompt = 'prompt-1'): readonly LogRecord[] {
  const request = (id: string, more: GivenObject): GivenObject => ({
    'event.name': 'api_request',
    model: 'claude-opus-5-5',
    input_tokens: 60n,
    output_tokens: 20n,
    cache_read_tokens: 40n,
    cache_creation_tokens: 10n,
    cache_creation_5m_tokens: 10n,
    cache_creation_1h_tokens: 0n,
    cost_usd: double(0.000698),
    request_id: `req_${session}_${id}`,
    query_source: 'sdk',
    effort: 'medium',
    ...more,
  })
  const tool = {
    tool_name: 'Bash',
    tool_use_id: `toolu_${session}`,
    tool_parameters: '{"bash_command":"echo","full_command":"echo hi"}',
    request_id: `req_${session}_1`,
  }
  const response = (id: string, text: string): GivenObject => ({
    'event.name': 'assistant_response',
    response: text,
    request_id: `req_${session}_${id}`,
    query_source: 'sdk',
  })
  const events: readonly (readonly [number, GivenObject])[] = [
    [0, { 'event.name': 'user_prompt', prompt_length: '20', prompt: 'What is the weather?' }],
    [764, { ...tool, 'event.name': 'tool_decision', decision: 'accept', source: 'config' }],
    [801, request('1', { duration_ms: 409n, ttft_ms: 220n })],
    [802, response('1', 'I will look.')],
    [
      868,
      {
        ...tool,
        'event.name': 'tool_result',
        success: 'true',
        duration_ms: '98',
        tool_input: '{"command":"echo hi"}',
      },
    ],
    [1025, request('2', { duration_ms: 13n, ttft_ms: 9n })],
    [1025, response('2', 'The answer is sunny.')],
  ]
  return records(
    'claude-code',
    'com.anthropic.claude_code.events',
    { 'user.id': 'e39d24e608', 'user.email': 'ada@example.com', 'session.id': session, 'prompt.id': prompt },
    events.map(([ms, attributes], i) => ({
      ms,
      body: `claude_code.${nameIn(attributes)}`,
      attributes: { ...attributes, 'event.sequence': BigInt(i) },
    })),
  )
}

export function codexLogs(conversation = 'conversation-1'): readonly LogRecord[] {
  const completed = {
    'event.name': 'codex.sse_event',
    'event.kind': 'response.completed',
    input_token_count: '100',
    output_token_count: '20',
    cached_token_count: '40',
    cache_write_token_count: '0',
    reasoning_token_count: '5',
    tool_token_count: '120',
    ttft_ms: '1',
  }
  const events: readonly (readonly [number, GivenObject])[] = [
    [0, { 'event.name': 'codex.conversation_starts', provider_name: 'OpenAI', sandbox_policy: 'read-only' }],
    [164, { 'event.name': 'codex.user_prompt', prompt_length: '20', prompt: 'What is the weather?' }],
    [
      206,
      {
        'event.name': 'codex.api_request',
        duration_ms: '28',
        'http.response.status_code': '200',
        attempt: '0',
      },
    ],
    [208, { 'event.name': 'codex.sse_event', 'event.kind': 'response.completed', duration_ms: '0' }],
    [210, completed],
    [
      232,
      {
        'event.name': 'codex.tool_decision',
        tool_name: 'exec_command',
        call_id: 'call_1',
        decision: 'approved',
        source: 'Config',
      },
    ],
    [
      277,
      {
        'event.name': 'codex.tool_result',
        tool_name: 'exec_command',
        call_id: 'call_1',
        duration_ms: '64',
        success: 'true',
        arguments: '{"cmd":"echo hi"}',
        output: 'Process exited with code 0\nOutput:\nhi\n',
      },
    ],
    [341, completed],
  ]
  return records(
    'codex_exec',
    'codex_otel.log_only',
    { 'conversation.id': conversation, model: 'gpt-5-codex', 'user.account_id': 'account-1' },
    events.map(([ms, attributes]) => ({
      ms,
      attributes,
      eventName: 'event otel/src/events/session_telemetry.rs:703',
    })),
  )
}

export function geminiCliLogs(session = 'session-1'): readonly LogRecord[] {
  const response = (parts: readonly object[]): GivenObject => ({
    'event.name': 'gemini_cli.api_response',
    model: 'gemini-2.5-flash',
    input_token_count: 100n,
    output_token_count: 15n,
    cached_content_token_count: 40n,
    thoughts_token_count: 5n,
    tool_token_count: 0n,
    total_token_count: 120n,
    status_code: 200n,
    finish_reasons: ['stop'],
    role: 'main',
    response_text: JSON.stringify(
      parts.map((part) => ({ candidates: [{ content: { role: 'model', parts: [part] } }] })),
    ),
  })
  const events: readonly (readonly [number, GivenObject])[] = [
    [0, { 'event.name': 'gemini_cli.config', model: 'gemini-2.5-flash' }],
    [511, { 'event.name': 'gemini_cli.user_prompt', prompt_length: 20n, prompt: 'What is the weather?' }],
    [
      1486,
      {
        ...response([{ functionCall: { name: 'list_directory', args: { dir_path: '.' } } }]),
        duration_ms: 886n,
      },
    ],
    [1487, { 'event.name': 'gen_ai.client.inference.operation.details', 'gen_ai.usage.input_tokens': 100n }],
    [
      1536,
      {
        'event.name': 'gemini_cli.tool_call',
        function_name: 'list_directory',
        duration_ms: 28n,
        success: true,
        decision: 'accept',
        tool_type: 'native',
        function_args: '{"dir_path": "."}',
      },
    ],
    [1575, { ...response([{ text: 'The answer ' }, { text: 'is sunny.' }]), duration_ms: 17n }],
  ]
  return records(
    'gemini-cli',
    'gemini-cli',
    {
      'session.id': session,
      'installation.id': 'i',
      'user.email': 'ada@example.com',
      prompt_id: `${session}########0`,
    },
    events.map(([ms, attributes]) => ({ ms, attributes })),
  )
}
