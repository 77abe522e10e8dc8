import { expect, test } from 'vitest'
import { readConversation } from './conversation.ts'

function read(inputs: unknown, output: unknown) {
  return readConversation(JSON.stringify(inputs), JSON.stringify(output))?.map(
    ({ role, parts, isOutput }) => [
      role,
      isOutput ? 'out' : 'in',
      ...parts.map((part) => ('text' in part ? part.text : 'json' in part ? part.json : part.name)),
    ],
  )
}

test('OpenAI chat with a tool call', () => {
  expect(
    read(
      {
        model: 'gpt-4o',
        messages: [
          { role: 'system', content: 'Be kind.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'Hi' },
              { type: 'image_url', image_url: {} },
            ],
          },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ function: { name: 'look', arguments: '{"n": 1.0}' } }],
          },
          { role: 'tool', tool_call_id: 'c1', content: 'found' },
        ],
      },
      { choices: [{ message: { role: 'assistant', content: 'Hello' } }] },
    ),
  ).toEqual([
    ['system', 'in', 'Be kind.'],
    ['user', 'in', 'Hi', 'image'],
    ['assistant', 'in', '{"n": 1.0}'],
    ['tool', 'in', 'found'],
    ['assistant', 'out', 'Hello'],
  ])
})

test('OpenTelemetry messages with parts', () => {
  const call = { type: 'tool_call', id: 'c1', name: 'look', arguments: { n: 1 } }
  expect(
    read(
      {
        system: [{ type: 'text', content: 'Be kind.' }],
        messages: [
          {
            role: 'user',
            parts: [
              { type: 'text', content: 'Hi' },
              { type: 'blob', modality: 'image', mime_type: 'image/png', content: 'iVBORw0KGgo=' },
              { type: 'uri', modality: 'audio', uri: 'https://example.com/a.mp3' },
            ],
          },
          { role: 'assistant', parts: [{ type: 'reasoning', content: 'Hm' }, call] },
          { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1', response: { found: true } }] },
        ],
      },
      {
        messages: [{ role: 'assistant', parts: [{ type: 'text', content: 'Hello' }], finish_reason: 'stop' }],
      },
    ),
  ).toEqual([
    ['system', 'in', 'Be kind.'],
    ['user', 'in', 'Hi', 'image', 'audio'],
    ['assistant', 'in', 'Hm', '{"n":1}'],
    ['tool', 'in', '{"found":true}'],
    ['assistant', 'out', 'Hello'],
  ])
})

test('Anthropic messages', () => {
  expect(
    read(
      { system: 'Be kind.', messages: [{ role: 'user', content: 'Hi' }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm' },
          { type: 'tool_use', name: 'look', input: { n: 1 } },
        ],
      },
    ),
  ).toEqual([
    ['system', 'in', 'Be kind.'],
    ['user', 'in', 'Hi'],
    ['assistant', 'out', 'Hm', '{"n":1}'],
  ])
})

test('OpenAI Responses API and Gemini contents', () => {
  expect(
    read(
      { input: [{ role: 'user', content: 'Hi' }], instructions: 'Be kind.' },
      { output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] }] },
    ),
  ).toEqual([
    ['system', 'in', 'Be kind.'],
    ['user', 'in', 'Hi'],
    ['assistant', 'out', 'Hello'],
  ])
  expect(
    read(
      { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
      { candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] } }] },
    ),
  ).toEqual([
    ['user', 'in', 'Hi'],
    ['assistant', 'out', 'Hello'],
  ])
})

const BYTES = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ'

/** The media of a conversation, each with its bytes or URL. */
function media(content: unknown, output: unknown = null) {
  const texts = {
    inputs: JSON.stringify({ messages: [{ role: 'user', content }] }),
    output: JSON.stringify(output),
  }
  return readConversation(texts.inputs, texts.output)
    ?.flatMap(({ parts }) => parts)
    .flatMap((part) => {
      if (part.kind !== 'media') return []
      const { name, document, media } = part
      if (media?.kind === 'inline') {
        return [[name, document, media.declaredType, JSON.parse(texts[document].slice(media.at, media.end))]]
      }
      return [[name, document, media?.kind === 'remote' ? media.url : media?.file.digest]]
    })
}

test('images and audio are found in the format of each provider', () => {
  const address = `data:image/png;base64,${BYTES}`
  expect(media([{ type: 'image_url', image_url: { url: address } }])).toEqual([
    ['image', 'inputs', 'image/png', address],
  ])
  expect(media([{ type: 'input_image', image_url: address }])).toEqual([
    ['image', 'inputs', 'image/png', address],
  ])
  const source = { type: 'base64', media_type: 'image/png', data: BYTES }
  expect(media([{ type: 'image', source }])).toEqual([['image', 'inputs', 'image/png', BYTES]])
  expect(media([{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'image', source }] }])).toEqual([
    ['image', 'inputs', 'image/png', BYTES],
  ])
  expect(media([{ inline_data: { mime_type: 'audio/mpeg', data: BYTES } }])).toEqual([
    ['file', 'inputs', 'audio/mpeg', BYTES],
  ])
  expect(media([{ type: 'input_audio', input_audio: { data: BYTES, format: 'wav' } }])).toEqual([
    ['audio', 'inputs', 'audio/wav', BYTES],
  ])
  const image = {
    _type: 'CustomWeaveType',
    weave_type: { type: 'PIL.Image.Image' },
    files: { 'image.png': 'd1' },
  }
  expect(media([image])).toEqual([['file', 'inputs', 'd1']])
  const audio = { id: 'a', data: BYTES, transcript: 'Hello' }
  expect(media('Hi', { choices: [{ message: { role: 'assistant', content: null, audio } }] })).toEqual([
    ['audio', 'output', 'audio', BYTES],
  ])
})

test('remote media has its URL, and a file of a provider only its name', () => {
  const url = 'https://example.invalid/a.png'
  expect(media([{ type: 'image_url', image_url: { url } }])).toEqual([['image', 'inputs', url]])
  expect(media([{ type: 'image', source: { type: 'url', url } }])).toEqual([['image', 'inputs', url]])
  expect(media([{ type: 'input_file', file_id: 'f1' }])).toEqual([['file', 'inputs', undefined]])
  // A URL in a block of another type is not media.
  expect(media([{ type: 'web_search', url }])).toEqual([])
})

test('other values are not a conversation', () => {
  expect(read({ question: 'Hi' }, 'Hello')).toBeUndefined()
  expect(read({ messages: 'none' }, null)).toBeUndefined()
  expect(read({ input: [1, 2, 3] }, null)).toBeUndefined()
  expect(read([1], null)).toBeUndefined()
})
