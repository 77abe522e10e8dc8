import { describe, expect, test } from 'vitest'
import { encodeContent, joinContents, sortedContents } from './call-contents.ts'

const join = (document: string, ...contents: string[]): string | undefined =>
  joinContents(Buffer.from(document), contents)?.toString()

describe('contents of a call', () => {
  test('add the members that a document lacks, and keep the spelling of both', () => {
    expect(join('{}', '{"messages":[{"n":1.0}]}')).toBe('{"messages":[{"n":1.0}]}')
    expect(join('null', '{"messages":[]}')).toBe('{"messages":[]}')
    expect(join('', '{"a":12345678901234567890}')).toBe('{"a":12345678901234567890}')
    expect(join('{ "model": "m", "t": 1.0 }', '{"messages":["é"]}')).toBe(
      '{ "model": "m", "t": 1.0,"messages":["é"]}',
    )
  })

  test('append lists of several records', () => {
    expect(join('{}', '{"messages":[1]}', '{"messages":[]}', '{"messages":[2,3],"system":"s"}')).toBe(
      '{"messages":[1,2,3],"system":"s"}',
    )
    expect(join('{}', '{"messages":[]}', '{"messages":[2]}')).toBe('{"messages":[2]}')
    expect(join('{}', '{"a":1}', '{"a":2}')).toBe('{"a":1}')
  })

  test('never change what the call itself has', () => {
    expect(join('{"messages":["own"]}', '{"messages":["other"]}')).toBeUndefined()
    expect(join('"text"', '{"messages":[1]}')).toBeUndefined()
    expect(join('[1]', '{"messages":[1]}')).toBeUndefined()
    expect(join('{}')).toBeUndefined()
  })

  test('are ordered by time, then by content', () => {
    const contents = [
      { timeNanos: 2n, inputs: '{"a":[2]}', output: undefined },
      { timeNanos: 1n, inputs: '{"a":[1]}', output: '{"b":[]}' },
      { timeNanos: 2n, inputs: '{"a":[3]}', output: undefined },
    ]
    const sorted = [...contents].sort((a, b) =>
      `${a.timeNanos}${a.inputs}` < `${b.timeNanos}${b.inputs}` ? -1 : 1,
    )
    const encoded = contents.map(encodeContent)
    expect(sortedContents(encoded)).toEqual(sorted)
    expect(sortedContents(encoded.toReversed())).toEqual(sorted)
  })
})
