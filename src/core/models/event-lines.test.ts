import { expect, test } from 'vitest'
import { ChunkMerge } from './chunk-merge.ts'
import { readEventTexts } from './event-lines.ts'
import { fillMessages } from './template.ts'

async function texts(chunks: readonly (string | Buffer)[]): Promise<string[]> {
  async function* bytes() {
    for (const chunk of chunks) yield Buffer.from(chunk)
  }
  const found: string[] = []
  for await (const text of readEventTexts(bytes())) found.push(text)
  return found
}

test('data of events is read however it is split', async () => {
  const stream = Buffer.from(
    ': ping\r\nevent: x\r\ndata: {"a":"é"}\r\n\r\ndata:{"b":1}\n\ndata: \n\ndata: [DONE]',
  )
  const expected = ['{"a":"é"}', '{"b":1}', '[DONE]']
  expect(await texts([stream])).toEqual(expected)
  expect(await texts([...stream].map((byte) => Buffer.from([byte])))).toEqual(expected)
})

test('chunks join to a completion: texts grow, calls of tools by index', () => {
  const merge = new ChunkMerge()
  expect([merge.completion(), merge.isFinished]).toEqual([undefined, false])
  const delta = (change: object, finish_reason: string | null = null, index = 0) =>
    merge.add({
      id: 'c',
      model: 'm',
      object: 'chat.completion.chunk',
      choices: [{ index, delta: change, finish_reason }],
    })
  delta({ role: 'assistant', content: '' })
  delta({ content: 'Hel' })
  delta({ content: 'lo', tool_calls: [{ index: 1, id: 'b', function: { name: 'f', arguments: '{"x"' } }] })
  delta({ content: 'second' }, null, 1)
  delta(
    { tool_calls: [{ index: 0, id: 'a' }, { index: 1, function: { arguments: ':1}' } }, { index: 9e9 }] },
    'tool_calls',
  )
  merge.add({ id: 'c', choices: [], usage: { prompt_tokens: 1 } })
  expect(merge.isFinished).toBe(true)
  expect(merge.completion()).toEqual({
    id: 'c',
    model: 'm',
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'Hello',
          tool_calls: [{ id: 'a' }, { id: 'b', function: { name: 'f', arguments: '{"x":1}' } }],
        },
        finish_reason: 'tool_calls',
      },
      { index: 1, message: { role: 'assistant', content: 'second' }, finish_reason: null },
    ],
    usage: { prompt_tokens: 1 },
  })
})

test('variables are filled in texts, and nothing else', () => {
  const messages = [
    { role: 'user', content: '{a} {b} {c} {"a": 1} {{a}}', name: '{a}' },
    {
      role: 'user',
      content: [
        { type: 'text', text: '{a}' },
        { type: 'image_url', image_url: { url: '{a}' } },
      ],
    },
    { role: 'assistant', content: '{a}' },
    'text',
  ]
  expect(fillMessages(messages, { a: 'x', b: { c: 1 }, toString: 1 }).toJSON()).toEqual([
    { role: 'user', content: 'x {"c":1} {c} {"a": 1} {x}', name: '{a}' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'x' },
        { type: 'image_url', image_url: { url: '{a}' } },
      ],
    },
    { role: 'assistant', content: '{a}' },
    'text',
  ])
})
