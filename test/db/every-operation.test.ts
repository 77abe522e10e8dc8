import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Client, createClient } from '../../src/client/client.ts'
import { encodeRequest } from '../../src/client/encode.ts'
import { isOwn, type Operation } from '../../src/contract/operation.ts'
import { type OperationName, operationNames, operations } from '../../src/contract/operations.ts'
import { RawJson } from '../../src/contract/raw-json.ts'
import { readJson } from '../../src/core/json/read.ts'
import { type Shape, shapeOf } from '../../src/core/json/shape.ts'
import { writeJson } from '../../src/core/json/write.ts'
import { examples, type Ground, KeptExamples } from '../examples.ts'
import { type Answer, basic, useServer } from '../harness.ts'
import { NASTY } from '../nasty.ts'
import { type Position, positions, replaced, valueAt } from '../positions.ts'

/** What every operation owes, driven by the contract's table: a new row is tested here before it has a test of its own. */

const LIMIT_BYTES = 3 * 1024 * 1024
const server = useServer({ bodyLimitBytes: LIMIT_BYTES })
const PROBLEM = { reason: expect.any(String), code: expect.any(String), request_id: expect.any(String) }

let client: Client
let ground: Ground
let outsider: string
let reader: string
let serial = 0

beforeAll(async () => {
  client = createClient({ url: server.url, authorization: server.authorization })
  ground = { client, project_id: server.project_id, unique: () => `u${serial++}` }
  // The project comes into being, so that strangers are refused for their rights and not for its absence.
  await client.call('call_start', { start: { project_id: server.project_id, op_name: 'first' } })
  outsider = await server.user('outsider', { 'other/project': 'admin' })
  reader = await server.user('reader', { [server.project_id]: 'read' })
})

function operationOf(name: OperationName): Operation {
  return operations[name] as unknown as Operation
}

async function example(name: OperationName): Promise<object> {
  return examples[name](ground)
}

const kept = new KeptExamples(() => ground)

/** Sends a request of the contract, with any path and credentials. */
async function deliver(
  name: OperationName,
  request: object,
  { prefix = '', path = '', authorization = server.authorization } = {},
): Promise<Answer> {
  const encoded = encodeRequest(operationOf(name), request)
  const { method, headers, body } = encoded
  return server.as(authorization)(prefix + (path === '' ? encoded.path : path), undefined, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  })
}

const all = operationNames()
const closed = all.filter((name) => operationOf(name).access !== 'public')
const bodied = all.filter((name) => operationOf(name).body !== 'none')
const jsons = bodied.filter((name) => operationOf(name).body === 'json')
/** Those whose bodies have fields that must be there. */
const demanding = jsons.filter((name) => {
  const inPath = Array.from(operationOf(name).path.matchAll(/\{(\w+)\}/g), (match) => [match[1]!, 'x'])
  return !operationOf(name).request.safeParse(Object.fromEntries(inPath)).success
})
const ruled = closed.filter((name) => operationOf(name).access !== 'user')
const writes = ruled.filter((name) => operationOf(name).access === 'write')

/** A body that is no longer an example's, with the method that the operation has. */
async function sendBody(name: OperationName, path: string, body: string): Promise<Answer> {
  return server.send(path, body, { method: operationOf(name).method })
}

/** The path to send it to. */
async function pathOf(name: OperationName): Promise<string> {
  return encodeRequest(operationOf(name), await kept.of(name)).path
}

describe('valid requests', () => {
  test.each(all)('%s is answered as its response schema says', async (name) => {
    const answer: unknown = await client.call(name, (await example(name)) as never)
    if (['jsonl', 'events'].includes(operationOf(name).answer)) {
      for await (const line of answer as AsyncIterable<unknown>) expect(line).toBeTypeOf('object')
    }
  })

  test.each(all)(
    '%s answers at / and under /traces, in every spelling; what is our own only at /',
    async (name) => {
      for (const prefix of isOwn(operationOf(name)) ? ['', '/'] : ['', '/traces', '/']) {
        for (const alias of ['', ...operationOf(name).aliases]) {
          const answer = await deliver(name, await example(name), { prefix, path: alias })
          expect([prefix, alias, answer.status, answer.text.slice(0, 200)]).toEqual([
            prefix,
            alias,
            200,
            expect.anything(),
          ])
          expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
        }
      }
    },
  )

  test.each(bodied)('%s ignores fields it does not know', async (name) => {
    const unknown = { unknown_field: { ['__proto__']: [1.5, { a: null }], constructor: 1 } }
    const request = await example(name)
    const answer = await deliver(
      name,
      operationOf(name).body === 'json' ? sprinkle(request, unknown) : { ...request, extra: 'x' },
    )
    expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.anything()])
  })
})

/** Further members in every object of the request that is not a payload. */
function sprinkle(value: unknown, extra: object): object {
  if (Array.isArray(value))
    return value.map((item) => (typeof item === 'object' ? sprinkle(item, extra) : (item as unknown)))
  if (typeof value !== 'object' || value === null || value instanceof RawJson) return value as object
  const entries = Object.entries(value).map(([key, member]) => [
    key,
    // Keys of `costs` are the client's own: there is no unknown one among them.
    typeof member === 'object' && key !== 'costs' ? sprinkle(member, extra) : (member as unknown),
  ])
  return { ...Object.fromEntries(entries), ...extra }
}

describe('who may', () => {
  test.each(closed)('%s answers 401 to missing and malformed credentials', async (name) => {
    const request = await kept.of(name)
    const odd = [
      '',
      'Basic',
      'Basic ',
      'Basic !!!',
      'Bearer abc',
      'basic',
      `Basic ${btoa('nocolon')}`,
      basic('api', 'x'.repeat(45)),
    ]
    for (const authorization of odd) {
      const answer = await deliver(name, request, { authorization })
      expect([authorization, answer.status, answer.json]).toEqual([
        authorization,
        401,
        { ...PROBLEM, code: 'unauthenticated' },
      ])
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /)
    }
  })

  test.each(ruled)('%s in a project of others answers 403, whatever is there', async (name) => {
    const answer = await deliver(name, await kept.of(name), { authorization: outsider })
    expect([answer.status, answer.json]).toEqual([403, { ...PROBLEM, code: 'forbidden' }])
  })

  test.each(writes)('%s answers 403 to somebody who may only read', async (name) => {
    const answer = await deliver(name, await kept.of(name), { authorization: reader })
    expect([answer.status, answer.json]).toEqual([403, { ...PROBLEM, code: 'forbidden' }])
  })
})

describe('bodies that are no request', () => {
  test.each(jsons)('%s answers 400 to a body that is cut off or no JSON', async (name) => {
    const path = await pathOf(name)
    const text = encodeRequest(operationOf(name), await kept.of(name)).body as string
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
      const answer = await sendBody(name, path, body)
      expect([body, answer.status, answer.json]).toEqual([body, 400, { ...PROBLEM, code: 'invalid_request' }])
    }
  })

  test.each(bodied)('%s answers 4xx to JSON that is no object', async (name) => {
    const path = await pathOf(name)
    for (const body of ['[]', '1', '"x"', 'null', 'true', '[[{}]]']) {
      const answer = await sendBody(name, path, body)
      expect([body, answer.status]).toEqual([body, operationOf(name).body === 'json' ? 422 : 400])
      expect(answer.json).toMatchObject(PROBLEM)
    }
  })

  test.each(bodied)(
    '%s answers 413 to a body that is too large, sent whole, in chunks or compressed',
    async (name) => {
      const path = await pathOf(name)
      const large = Buffer.alloc(LIMIT_BYTES + 1, ' ')
      const ways: RequestInit[] = [
        { body: large },
        { body: new Blob([large]).stream(), duplex: 'half' },
        { body: gzipSync(large), headers: { 'content-encoding': 'gzip' } },
      ]
      for (const way of ways) {
        const answer = await server.send(path, undefined, { method: operationOf(name).method, ...way })
        expect([answer.status, answer.json]).toEqual([413, { ...PROBLEM, code: 'too_large' }])
      }
    },
  )
})

/** An example as the server's reader sees it, without the fields that stand in the path. */
async function document(name: OperationName): Promise<{ path: string; document: unknown; shape: Shape }> {
  const { path, body } = encodeRequest(operationOf(name), await kept.of(name))
  const shape = shapeOf(operationOf(name).request)
  return { path, document: readJson(Buffer.from(body as string), shape), shape }
}

describe('wrong types', () => {
  test.each(jsons)('%s names the field that has the wrong type', async (name) => {
    const { path, document: valid, shape } = await document(name)
    for (const position of positions(shape, valid)) {
      if (position.shape.kind === 'raw' || position.shape.kind === 'value') continue
      for (const wrong of position.shape.kind === 'scalar' ? [{ a: 1 }, [[]]] : ['text', 7]) {
        const answer = await sendBody(name, path, writeJson(replaced(valid, position.path, wrong)))
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
    await survives(name, ({ shape }) => (shape.kind === 'raw' ? ODD_JSON : []))
  })

  test.each(demanding)('%s answers 422 without any of its required fields', async (name) => {
    const path = await pathOf(name)
    for (const body of ['{}', '{"project_id":null}', '{"unknown":1}'])
      expect((await sendBody(name, path, body)).status).toBe(422)
  })

  test.each(jsons)('%s answers numbers out of range with 4xx or 200', async (name) => {
    await survives(name, (_, value) => (typeof value === 'number' ? ODD_NUMBERS : []))
  })
})

const raw = (text: string): RawJson => RawJson.fromText(text)
const NUMBERS = '-1 0 1.5 1e18 9007199254740993 -9223372036854775809 1e400 -0 "1"'
const ODD_NUMBERS = NUMBERS.split(' ').map(raw)
const EXPRESSIONS = '{"$expr":{}} {"$expr":{"$eq":[]}} {"a":{"$literal":1}}'
const ODD_JSON = `null 7 "x" [] {} [[[]]] 1e999 "\\u0000" "\\ud800" ${EXPRESSIONS}`.split(' ').map(raw)

/** Puts each of the values into each position of an example; none of them may be answered with 5xx. */
async function survives(
  name: OperationName,
  valuesFor: (position: Position, value: unknown) => readonly unknown[],
): Promise<void> {
  const { path, document: valid, shape } = await document(name)
  const attempts = positions(shape, valid).flatMap((position) =>
    valuesFor(position, valueAt(valid, position.path)).map((value) => ({ position, value })),
  )
  const failures: unknown[] = []
  await inParallel(32, attempts, async ({ position, value }) => {
    const answer = await sendBody(name, path, writeJson(replaced(valid, position.path, value)))
    if (answer.status >= 500 || answer.headers.get('set-cookie') !== null) {
      failures.push([position.path, writeJson(value).slice(0, 100), answer.status, answer.text.slice(0, 300)])
    }
  })
  expect(failures).toEqual([])
}

describe('nasty text', () => {
  test.each(jsons)(
    `%s survives ${NASTY.length} nasty values in each text field`,
    { timeout: 180_000 },
    async (name) => {
      await survives(name, (_, value) => (typeof value === 'string' ? NASTY : []))
    },
  )

  test.each(all.filter((name) => operationOf(name).path.includes('{')))(
    '%s survives nasty text in its path',
    async (name) => {
      const request = await kept.of(name)
      const texts = NASTY.filter((text) => text.length < 300 && text.isWellFormed())
      const inPath = Array.from(operationOf(name).path.matchAll(/\{(\w+)\}/g), (match) => match[1]!)
      const attempts = inPath.flatMap((field) => texts.map((text) => ({ [field]: text })))
      await inParallel(32, attempts, async (attempt) => {
        const answer = await deliver(name, { ...request, ...attempt })
        expect([attempt, answer.status < 500, answer.status]).toEqual([attempt, true, expect.any(Number)])
      })
    },
  )
})

async function inParallel<T>(
  workers: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items]
  const worker = async (): Promise<void> => {
    for (let item = queue.pop(); item !== undefined; item = queue.pop()) await work(item)
  }
  await Promise.all(Array.from({ length: workers }, worker))
}
