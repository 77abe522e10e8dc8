import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { encodeRequest } from '../../src/client/encode.ts'
import { RawJson } from '../../src/contract/raw-json.ts'
import { writeJson } from '../../src/core/json/write.ts'
import { bodied, jsons, LIMIT_BYTES, operationOf, PROBLEM, useOperations } from '../operations.ts'
import { positions, replaced } from '../positions.ts'

/** Every operation: bodies that are no request are refused, and say why. */

const operations = useOperations()

/** Those whose bodies have fields that must be there. */
const demanding = jsons.filter((name) => {
  const inPath = Array.from(operationOf(name).path.matchAll(/\{(\w+)\}/g), (match) => [match[1]!, 'x'])
  return !operationOf(name).request.safeParse(Object.fromEntries(inPath)).success
})

describe('bodies that are no request', () => {
  test.each(jsons)('%s answers 400 to a body that is cut off or no JSON', async (name) => {
    const path = await operations.pathOf(name)
    const text = encodeRequest(operationOf(name), await operations.kept.of(name)).body as string
    for (const body of [
      text.slice(0, -1),
      text.slice(0, text.length / 2),
      `${text}}`,
      '',
      'hello',
      '{',
      'NaN',
      '\ufeff',
      '\u0000',
    ]) {
      const answer = await operations.sendBody(name, path, body)
      expect([body, answer.status, answer.json]).toEqual([body, 400, { ...PROBLEM, code: 'invalid_request' }])
    }
  })

  test.each(bodied)('%s answers 4xx to JSON that is no object', async (name) => {
    const path = await operations.pathOf(name)
    for (const body of ['[]', '1', '"x"', 'null', 'true', '[[{}]]']) {
      const answer = await operations.sendBody(name, path, body)
      expect([body, answer.status]).toEqual([body, operationOf(name).body === 'json' ? 422 : 400])
      expect(answer.json).toMatchObject(PROBLEM)
    }
  })

  test.each(bodied)(
    '%s answers 413 to a body that is too large, sent whole, in chunks or compressed',
    async (name) => {
      const path = await operations.pathOf(name)
      const large = Buffer.alloc(LIMIT_BYTES + 1, ' ')
      const ways: RequestInit[] = [
        { body: large },
        { body: new Blob([large]).stream(), duplex: 'half' },
        { body: gzipSync(large), headers: { 'content-encoding': 'gzip' } },
      ]
      for (const way of ways) {
        const answer = await operations.server.send(path, undefined, {
          method: operationOf(name).method,
          ...way,
        })
        expect([answer.status, answer.json]).toEqual([413, { ...PROBLEM, code: 'too_large' }])
      }
    },
  )
})

describe('wrong types', () => {
  test.each(jsons)('%s names the field that has the wrong type', async (name) => {
    const { path, document: valid, shape } = await operations.document(name)
    for (const position of positions(shape, valid)) {
      if (position.shape.kind === 'raw' || position.shape.kind === 'value') continue
      for (const wrong of position.shape.kind === 'scalar' ? [{ a: 1 }, [[]]] : ['text', 7]) {
        const answer = await operations.sendBody(name, path, writeJson(replaced(valid, position.path, wrong)))
        expect([position.path, answer.status]).toEqual([position.path, 422])
        const detail = answer.json['detail'] as { loc: unknown[]; msg: string; type: string }[]
        expect(detail.length).toBeGreaterThan(0)
        const top = position.path.slice(0, 1)
        expect(detail[0]).toEqual({
          loc: expect.arrayContaining(['body', ...top]),
          msg: expect.any(String),
          type: expect.any(String),
        })
      }
    }
  })

  test.each(jsons)('%s answers 4xx or 200, never 5xx, whatever stands in a payload', async (name) => {
    expect(await operations.failures(name, ({ shape }) => (shape.kind === 'raw' ? ODD_JSON : []))).toEqual([])
  })

  test.each(demanding)('%s answers 422 without any of its required fields', async (name) => {
    const path = await operations.pathOf(name)
    for (const body of ['{}', '{"project_id":null}', '{"unknown":1}'])
      expect((await operations.sendBody(name, path, body)).status).toBe(422)
  })

  test.each(jsons)('%s answers numbers out of range with 4xx or 200', async (name) => {
    expect(
      await operations.failures(name, (_, value) => (typeof value === 'number' ? ODD_NUMBERS : [])),
    ).toEqual([])
  })
})

const raw = (text: string): RawJson => RawJson.fromText(text)
const NUMBERS = '-1 0 1.5 1e18 9007199254740993 -9223372036854775809 1e400 -0 "1"'
const ODD_NUMBERS = NUMBERS.split(' ').map(raw)
const EXPRESSIONS = '{"$expr":{}} {"$expr":{"$eq":[]}} {"a":{"$literal":1}}'
const ODD_JSON = `null 7 "x" [] {} [[[]]] 1e999 "\\u0000" "\\ud800" ${EXPRESSIONS}`.split(' ').map(raw)
