import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ModelServer, REPLY, startModelServer, USAGE } from '../model-server.ts'
import { parseJsonLines, type TestServer, startTestServer } from '../harness.ts'
import { waitUntil } from '../wait-until.ts'

/** Requests to models: what is forwarded, returned and recorded, what fails and how, and where keys are not. */

const SERVER_KEY = 'sk-server-key-8d1c'
const PROJECT_KEY = 'sk-project-key-4e77'
let model: ModelServer
let server: TestServer

beforeAll(async () => {
  model = await startModelServer()
  server = await startTestServer({
    openaiBaseUrl: `${model.url}/v1`,
    openaiApiKey: SERVER_KEY,
    modelsAllowedNetworks: '127.0.0.1',
  })
})
afterAll(async () => {
  await server.stop()
  await model.stop()
})

interface StoredCall {
  readonly sent_by: string
  readonly inputs: { readonly extra_headers?: object }
  readonly output: { readonly choices: readonly { readonly message: { readonly content: string } }[] }
  readonly summary: {
    readonly weave: {
      readonly costs: Readonly<Record<string, { readonly prompt_tokens_total_cost: number }>>
    }
  }
}

interface Line {
  readonly _meta?: { readonly weave_call_id: string }
  readonly object?: string
}

interface Created {
  readonly response: Record<string, unknown>
  readonly weave_call_id?: string
  readonly trace_id?: string
}

const messages = [{ role: 'user', content: 'What is the weather in Zürich?' }]
const create = (project_id: string, inputs: object, more: object = {}): Promise<Created> =>
  server.post<Created>('/completions/create', { project_id, inputs, ...more })
const readCall = async (project_id: string, id: string | undefined) =>
  (await server.post<{ call: StoredCall }>('/call/read', { project_id, id, include_costs: true })).call
async function stream(project_id: string, inputs: object, more: object = {}): Promise<Line[]> {
  const { text } = await server.send('/completions/create_stream', { project_id, inputs, ...more })
  return parseJsonLines(text)
}

describe('a completion', () => {
  test('is forwarded and returned byte for byte, and recorded as the SDK would', async () => {
    const project_id = 'models/exact'
    const inputs = `{"model":"gpt-4o-mini","messages":${JSON.stringify(messages)},"temperature":1.0,"seed":12345678901234567890,"unknown":{"b":1,"a":2},"user":null}`
    const { text } = await server.send(
      '/completions/create',
      `{"project_id":"${project_id}","inputs":${inputs},"conversation_id":"c-1","source":"test"}`,
    )
    const sent = model.requests.at(-1)!
    expect(sent.path).toBe('/v1/chat/completions')
    expect(sent.headers.authorization).toBe(`Bearer ${SERVER_KEY}`)
    for (const part of ['"temperature":1.0', '"seed":12345678901234567890', '"unknown":{"b":1,"a":2}'])
      expect(sent.text).toContain(part)
    expect(sent.text).not.toContain('"user":')
    const created = JSON.parse(text) as Created
    expect(created.response).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant', content: REPLY } }],
      service_tier: 'default',
    })
    const call = await readCall(project_id, created.weave_call_id)
    expect(call).toMatchObject({
      op_name: 'weave.completions_create',
      trace_id: created.trace_id,
      thread_id: 'c-1',
      inputs: JSON.parse(inputs),
      output: created.response,
      exception: null,
      attributes: { weave: { source: 'test' } },
      summary: { usage: { 'gpt-4o-mini': { requests: 1, prompt_tokens: USAGE.prompt } } },
      wb_user_id: call.sent_by,
    })
    expect(call.summary.weave.costs['gpt-4o-mini']?.prompt_tokens_total_cost).toBeGreaterThan(0)
    const { text: stored } = await server.send('/call/read', { project_id, id: created.weave_call_id })
    expect(stored).toContain('"seed":12345678901234567890')
  })

  test('calls tools, sees images, and is not recorded if that is not wanted', async () => {
    const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }]
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
    const content = [{ type: 'text', text: 'Where?' }, image]
    const inputs = { model: 'openai/gpt-4o', messages: [{ role: 'user', content }], tools }
    const created = await create('models/tools', inputs, { track_llm_call: false })
    expect(created).toEqual({ response: expect.objectContaining({ model: 'gpt-4o-2024-08-06' }) })
    expect(created.response).toMatchObject({
      choices: [
        { message: { tool_calls: [{ function: { name: 'weather' } }] }, finish_reason: 'tool_calls' },
      ],
    })
    expect(JSON.parse(model.requests.at(-1)!.text)).toMatchObject({
      model: 'gpt-4o',
      messages: inputs.messages,
      tools,
    })
    expect(await server.post('/calls/query_stats', { project_id: 'models/tools' })).toMatchObject({
      count: 0,
    })
  })

  test('is streamed in the chunks of the provider, and recorded as a whole', async () => {
    const project_id = 'models/stream'
    const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }]
    const [meta, ...chunks] = await stream(project_id, { model: 'gpt-4o-mini', messages, tools })
    expect(meta).toEqual({
      _meta: {
        weave_call_id: expect.any(String),
        span_id: meta?._meta?.weave_call_id,
        trace_id: expect.any(String),
        conversation_id: null,
      },
    })
    expect(chunks.every(({ object }) => object === 'chat.completion.chunk')).toBe(true)
    expect(chunks.at(-1)).toMatchObject({ usage: { prompt_tokens: USAGE.prompt } })
    const call = await readCall(project_id, meta?._meta?.weave_call_id)
    expect(call).toMatchObject({
      output: {
        object: 'chat.completion',
        choices: [
          {
            message: { tool_calls: [{ id: 'call_1', function: { arguments: '{"city":"Zürich"}' } }] },
            finish_reason: 'tool_calls',
          },
        ],
        usage: { completion_tokens: USAGE.completion },
      },
      summary: { usage: { 'gpt-4o-mini': { requests: 1, completion_tokens: USAGE.completion } } },
    })
    const untracked = await stream(project_id, { model: 'gpt-4o-mini', messages }, { track_llm_call: false })
    expect(untracked[0]).toMatchObject({ object: 'chat.completion.chunk' })
  })

  test('begins with the messages of a published prompt, with its variables', async () => {
    const project_id = 'models/prompts'
    const val = {
      _type: 'MessagesPrompt',
      messages: [{ role: 'system', content: 'Answer in {language} as {"json": 1}. {missing}' }],
      _class_name: 'MessagesPrompt',
      _bases: ['Prompt', 'Object', 'BaseModel'],
    }
    const { digest } = await server.post<{ digest: string }>('/obj/create', {
      obj: { project_id, object_id: 'greeting', val },
    })
    const own = { role: 'assistant', content: '{language}' }
    for (const prompt of ['greeting', 'greeting:v0', `weave:///${project_id}/object/greeting:${digest}`]) {
      await create(project_id, {
        model: 'gpt-4o',
        prompt,
        template_vars: { language: 'Italian' },
        messages: [own],
      })
      const body = JSON.parse(model.requests.at(-1)!.text) as Record<string, unknown>
      expect(body['messages']).toEqual([
        { role: 'system', content: 'Answer in Italian as {"json": 1}. {missing}' },
        own,
      ])
      expect(Object.keys(body).toSorted()).toEqual(['messages', 'model'])
    }
    const other = await create(project_id, { model: 'gpt-4o', prompt: 'weave:///a/b/object/greeting:v0' })
    expect(other.response).toMatchObject({ error_status_code: 400 })
  })
})

describe('a provider of the project', () => {
  test('gets the key that was set for its origin, and no other one', async () => {
    const project_id = 'models/custom'
    const publish = (object_id: string, val: object) =>
      server.post<{ digest: string }>('/obj/create', { obj: { project_id, object_id, val } })
    const provider = async (base_url: string) => {
      const val = { name: 'my server', base_url, api_key_name: 'MY_KEY', extra_headers: { 'x-team': 'a' } }
      const { digest } = await publish('my_server', val)
      await publish('my_server-llama3_1', { name: 'llama3.1', provider: digest, max_tokens: 100 })
    }
    await provider(`${model.url}/v1/`)
    const inputs = { model: 'custom::my server::llama3.1', messages }
    expect((await create(project_id, inputs)).response).toMatchObject({
      error: 'the project has no secret MY_KEY',
    })
    const secret = `/api/v1/projects/${project_id}/secrets/MY_KEY`
    const put = { method: 'PUT' }
    await server.send(secret, { value: PROJECT_KEY, origins: [model.url] }, put)
    const extra_headers = { 'X-Trace': '1', Authorization: 'Bearer mine' }
    const created = await create(project_id, { ...inputs, extra_headers })
    expect(created.response).toMatchObject({ model: 'llama3.1' })
    expect(model.requests.at(-1)!.headers).toMatchObject({
      authorization: `Bearer ${PROJECT_KEY}`,
      'x-team': 'a',
      'x-trace': '1',
    })
    expect((await readCall(project_id, created.weave_call_id)).inputs.extra_headers).toEqual({
      'X-Trace': 'REDACTED',
      Authorization: 'REDACTED',
    })
    const count = model.requests.length
    // Whoever may publish objects cannot send the key elsewhere.
    await provider(model.url.replace('127.0.0.1', 'localhost'))
    expect((await create(project_id, inputs)).response).toMatchObject({ error_status_code: 403 })
    for (const name of ['Host', 'Metadata-Flavor', 'X-aws-ec2-metadata-token-ttl-seconds', 'a\nb'])
      expect(
        (await create(project_id, { ...inputs, model: 'gpt-4o', extra_headers: { [name]: 'x' } })).response,
      ).toMatchObject({ error: expect.stringContaining('is not allowed') })
    expect(model.requests.length).toBe(count)
  })
})

test('a runtime is a provider with the complete list of its models', async () => {
  const project_id = 'models/runtimes'
  const apply = (body: object) => server.send(`/v2/${project_id}/runtimes/my server`, body, { method: 'PUT' })
  const ids = (...names: string[]) => names.map((id) => ({ id }))
  expect((await apply({ base_url: `${model.url}/v1`, runtime_ids: ids('a.1', 'b') })).json).toEqual({
    name: 'my server',
    base_url: `${model.url}/v1`,
    api_key_secret: null,
    headers: {},
    runtime_ids: [
      { id: 'a.1', max_tokens: 4096, playground_id: 'custom::my server::a.1' },
      { id: 'b', max_tokens: 4096, playground_id: 'custom::my server::b' },
    ],
  })
  const ask = (name: string) => create(project_id, { model: `custom::my server::${name}`, messages })
  expect((await ask('a.1')).response).toMatchObject({ model: 'a.1' })
  expect(model.requests.at(-1)!.headers.authorization).toBeUndefined()
  const { objs } = await server.post<{ objs: { object_id: string; val: object }[] }>('/objs/query', {
    project_id,
    filter: { latest_only: true },
  })
  expect(objs.map(({ object_id }) => object_id).toSorted()).toEqual([
    'my_server',
    'my_server-a_1',
    'my_server-b',
  ])
  expect(objs.find(({ object_id }) => object_id === 'my_server')?.val).toEqual({
    _type: 'Provider',
    name: 'my server',
    description: null,
    base_url: `${model.url}/v1`,
    api_key_name: '',
    extra_headers: {},
    return_type: 'openai',
    _class_name: 'Provider',
    _bases: ['BaseObject', 'BaseModel'],
  })
  // What is not in the next list is gone, and the rest follows the new version of the provider.
  await apply({ base_url: `${model.url}/v2`, headers: { 'x-a': '1' }, runtime_ids: ids('b', 'c') })
  expect((await ask('a.1')).response).toMatchObject({ error_status_code: 400 })
  expect((await ask('b')).response).toMatchObject({ model: 'b' })
  expect(model.requests.at(-1)).toMatchObject({ path: '/v2/chat/completions', headers: { 'x-a': '1' } })
  for (const body of [
    { base_url: 'ftp://a.b', runtime_ids: ids('a') },
    { base_url: 'https://a.b/?c', runtime_ids: ids('a') },
    { base_url: 'https://u:p@a.b/', runtime_ids: ids('a') },
    { base_url: 'https://a.b', runtime_ids: [] },
    { base_url: 'https://a.b', runtime_ids: ids('a.b', 'a-b', 'a_b') },
    { base_url: 'https://a.b', headers: { 'Metadata-Flavor': 'Google' }, runtime_ids: ids('a') },
  ])
    expect([body, (await apply(body)).status]).toEqual([body, 422])
})

describe('a failure of the model', () => {
  const key = `Bearer ${SERVER_KEY}`
  test.each([
    ['fault-429', 429, 'the model provider responded with 429: Rate limit reached'],
    [
      'fault-429-retry-after',
      429,
      'the model provider responded with 429: Rate limit reached; retry after 7 s',
    ],
    ['fault-500', 500, 'the model provider responded with 500: The server had an error'],
    ['fault-503-html', 503, 'the model provider responded with 503'],
    ['fault-redirect', 502, 'the model provider responded with a redirect (302), which is not followed'],
    ['fault-not-json', 502, 'the model provider sent a response that is no valid JSON'],
    [
      'fault-key-in-error',
      401,
      'the model provider responded with 401: Incorrect API key provided: Bearer REDACTED',
    ],
    ['fault-silent', 504, 'the model provider did not respond in time'],
    ['fault-huge', 502, 'the response of the model provider is larger than 16777216 bytes'],
    ['no-such-model', 404, 'the model provider responded with 404: The model `no-such-model` does not exist'],
  ])('%s is a response and an exception of the call', async (name, status, error) => {
    const project_id = 'models/faults'
    const inputs = { model: `openai/${name}`, messages, ...(name === 'fault-silent' ? { timeout: 0.3 } : {}) }
    const before = model.requests.length
    const created = await create(project_id, inputs)
    expect(created.response).toEqual({ error, error_status_code: status })
    const call = await readCall(project_id, created.weave_call_id)
    expect(call).toMatchObject({ exception: error, output: created.response })
    expect(JSON.stringify(call)).not.toContain(key)
    // Once: it is the caller who knows whether it may be repeated.
    expect(model.requests.length).toBe(before + 1)
  })

  test.each([
    ['fault-cut', 'the model provider closed the connection before the response was complete'],
    ['fault-end', 'the model provider ended the response before it was complete'],
    ['fault-error-in-stream', 'Overloaded'],
    ['fault-429', 'the model provider responded with 429: Rate limit reached'],
  ])('%s ends a stream with one line of error', async (name, error) => {
    const project_id = 'models/faults'
    const lines = await stream(project_id, { model: `openai/${name}`, messages })
    expect(lines.at(-1)).toEqual({ error, error_status_code: expect.any(Number) })
    expect(lines.filter((line) => 'error' in line)).toHaveLength(1)
    const call = await readCall(project_id, lines[0]?._meta?.weave_call_id)
    expect(call).toMatchObject({ exception: error })
    if (name !== 'fault-429') expect(call.output.choices[0]?.message.content).toBe('Hel')
  })

  test('a client that leaves ends the request to the model, and the call says so', async () => {
    const project_id = 'models/leaves'
    const abort = new AbortController()
    const response = await fetch(`${server.url}/completions/create_stream`, {
      method: 'POST',
      headers: { authorization: server.authorization },
      body: JSON.stringify({ project_id, inputs: { model: 'openai/fault-slow', messages } }),
      signal: abort.signal,
    })
    const reader = response.body!.getReader()
    let text = ''
    while (!text.includes('"Hel"')) text += Buffer.from((await reader.read()).value ?? []).toString()
    // Lines are sent when they are there, and not collected: the model goes on for as long as somebody reads.
    expect(text.length).toBeLessThan(2_000)
    abort.abort()
    await reader.read().catch(() => {})
    const calls = () =>
      server
        .send('/calls/stream_query', { project_id })
        .then(({ text }) => parseJsonLines<Record<string, unknown>>(text))
    await waitUntil(async () => (await calls()).length === 1, 20_000)
    expect((await calls())[0]).toMatchObject({ exception: 'the request was cancelled' })
  })

  test('a provider that repeats the key does not bring it into a trace', async () => {
    const { response } = await create('models/faults', { model: 'openai/fault-key-in-reply', messages })
    expect(response).toMatchObject({ choices: [{ message: { content: 'Your key is Bearer REDACTED' } }] })
  })

  test('malformed requests and unknown or unconfigured providers send nothing', async () => {
    const before = model.requests.length
    const project_id = 'models/faults'
    for (const inputs of [
      {},
      { model: '' },
      { model: 1 },
      { model: 'gpt-4o', messages: 'x' },
      { model: 'gpt-4o', messages: [1] },
    ])
      expect((await server.send('/completions/create', { project_id, inputs })).status).toBe(422)
    for (const name of ['llama', 'claude-sonnet-4', 'custom::a::b', 'gemini/gemini-2.5-pro'])
      expect((await create(project_id, { model: name, messages })).response).toMatchObject({
        error_status_code: 400,
      })
    const reader = server.as(await server.user('model-reader', { models: 'read' }))
    expect(
      (await reader('/completions/create', { project_id, inputs: { model: 'gpt-4o', messages } })).status,
    ).toBe(403)
    expect(model.requests.length).toBe(before)
  })
})
