import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { encodeRequest } from '../../src/client/encode.ts'
import { RawJson } from '../../src/contract/raw-json.ts'
import { writeJson } from '../../src/core/json/write.ts'
import {
  operationsWithBody,
  operationsWithJsonBody,
  LIMIT_BYTES,
  operationOf,
  ERROR_BODY,
  typeHeader,
  useOperations,
} from '../operations.ts'
import { positions, replaceAt } from '../positions.ts'
import { Shares } from '../share.ts'

/** Every operation rejects invalid bodies with a reason. */

const operations = useOperations()
const shares = new Shares(3)

/** Operations with required fields in the body. */
const operationsWithRequiredFields = operationsWithJsonBody.filter((name) => {
  const inPath = Array.from(operationOf(name).path.matchAll(/\{(\w+)\}/g), (match) => [match[1]!, 'x'])
  return !operationOf(name).request.safeParse(Object.fromEntries(inPath)).success
})

describe('invalid bodies', () => {
  test.each(operationsWithJsonBody)(
    '%s returns 400 for a body that is truncated or not JSON',
    async (name) => {
      const path = await operations.pathOf(name)
      const text = encodeRequest(operationOf(name), await operations.exampleCache.get(name)).body as string
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
        const response = await operations.sendBody(name, path, body)
        expect([body, response.status, response.json]).toEqual([
          body,
          400,
          { ...ERROR_BODY, code: 'invalid_request' },
        ])
      }
    },
  )

  test.each(operationsWithBody)('%s returns 4xx for JSON that is not an object', async (name) => {
    const path = await operations.pathOf(name)
    for (const body of ['[]', '1', '"x"', 'null', 'true', '[[{}]]']) {
      const response = await operations.sendBody(name, path, body)
      expect([body, response.status]).toEqual([body, operationOf(name).body === 'json' ? 422 : 400])
      expect(response.json).toMatchObject(ERROR_BODY)
    }
  })

  test.each(operationsWithBody)(
    '%s returns 413 for a body that is too large, plain, chunked or compressed',
    async (name) => {
      const path = await operations.pathOf(name)
      const large = Buffer.alloc(LIMIT_BYTES + 1, ' ')
      const encodings: RequestInit[] = [
        { body: large },
        { body: new Blob([large]).stream(), duplex: 'half' },
        { body: gzipSync(large), headers: { 'content-encoding': 'gzip' } },
      ]
      for (const encoding of shares.next(encodings)) {
        const response = await operations.server.send(path, undefined, {
          method: operationOf(name).method,
          ...encoding,
          headers: { ...typeHeader(name), ...(encoding.headers as Record<string, string> | undefined) },
        })
        expect([response.status, response.json]).toEqual([413, { ...ERROR_BODY, code: 'too_large' }])
      }
    },
  )
})

describe('wrong types', () => {
  test.each(operationsWithJsonBody)(
    '%s returns 422 and names the field with the wrong type',
    async (name) => {
      const { path, document: valid, shape } = await operations.document(name)
      for (const position of positions(shape, valid)) {
        if (position.shape.kind === 'raw' || position.shape.kind === 'value') continue
        for (const wrong of position.shape.kind === 'scalar' ? [{ a: 1 }, [[]]] : ['text', 7]) {
          const response = await operations.sendBody(
            name,
            path,
            writeJson(replaceAt(valid, position.path, wrong)),
          )
          expect([position.path, response.status]).toEqual([position.path, 422])
          const detail = response.json['detail'] as { loc: unknown[]; msg: string; type: string }[]
          expect(detail.length).toBeGreaterThan(0)
          const top = position.path.slice(0, 1)
          expect(detail[0]).toEqual({
            loc: expect.arrayContaining(['body', ...top]),
            msg: expect.any(String),
            type: expect.any(String),
          })
        }
      }
    },
  )

  test.each(operationsWithJsonBody)(
    '%s returns 4xx or 200, never 5xx, for any JSON in a payload',
    async (name) => {
      expect(
        await operations.serverErrors(name, ({ shape }) =>
          shape.kind === 'raw' ? shares.next(ODD_JSON) : [],
        ),
      ).toEqual([])
    },
  )

  test.each(operationsWithRequiredFields)('%s returns 422 without its required fields', async (name) => {
    const path = await operations.pathOf(name)
    for (const body of ['{}', '{"project_id":null}', '{"unknown":1}'])
      expect((await operations.sendBody(name, path, body)).status).toBe(422)
  })

  test.each(operationsWithJsonBody)('%s returns 4xx or 200 for numbers out of range', async (name) => {
    expect(
      await operations.serverErrors(name, (_, value) =>
        typeof value === 'number' ? shares.next(ODD_NUMBERS) : [],
      ),
    ).toEqual([])
  })
})

const raw = (text: string): RawJson => RawJson.fromText(text)
const NUMBERS = '-1 0 1.5 1e18 9007199254740993 -9223372036854775809 1e400 -0 "1"'
const ODD_NUMBERS = NUMBERS.split(' ').map(raw)
const EXPRESSIONS = '{"$expr":{}} {"$expr":{"$eq":[]}} {"a":{"$literal":1}}'
const ODD_JSON = `null 7 "x" [] {} [[[]]] 1e999 "\\u0000" "\\ud800" ${EXPRESSIONS}`.split(' ').map(raw)
