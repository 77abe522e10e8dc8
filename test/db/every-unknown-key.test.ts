import { describe, expect, test } from 'vitest'
import { encodeRequest } from '../../src/client/encode.ts'
import type { OperationName } from '../../src/contract/operations.ts'
import { shapeOf, type Shape } from '../../src/core/json/shape.ts'
import { writeJson } from '../../src/core/json/write.ts'
import type { TestResponse } from '../harness.ts'
import { allOperations, operationOf, operationsWithJsonBody, useOperations } from '../operations.ts'
import { positions, replaceAt, valueAt } from '../positions.ts'
import { Shares } from '../share.ts'

/** Every operation refuses or names every key that its schema does not have, at every level of its request. */

const operations = useOperations()
const KEY = 'unknown_field'
const shares = new Shares(3)

const deletions = allOperations.filter((name) => operationOf(name).deletes)
const records = allOperations.filter((name) => operationOf(name).storesRecords)

test('these operations delete', () => {
  const byMethod = deletions.filter((name) => operationOf(name).method === 'DELETE')
  expect(deletions.filter((name) => !byMethod.includes(name))).toEqual([
    'retention_update',
    'retention_preview',
    'ttl_settings_update',
    'obj_delete',
    'obj_remove_tags',
    'obj_remove_aliases',
    'dataset_sources_link_delete',
    'calls_delete',
    'feedback_purge',
    'cost_purge',
  ])
  const named = allOperations.filter((name) => /delete|purge|remove|revoke|sessions_end/.test(name))
  expect(deletions).toEqual(expect.arrayContaining(named))
})

test('these operations store records of SDKs', () => {
  expect(records).toEqual([
    'obj_create',
    'table_create',
    'dataset_sources_link',
    'call_start',
    'call_end',
    'call_upsert_batch',
    'calls_complete',
    'call_start_v2',
    'call_end_v2',
    'feedback_create_batch',
    'otlp_traces',
    'otlp_logs',
    'otlp_metrics',
    'langfuse_scores',
  ])
})

/** The paths of all objects of a request, without indexes of lists. */
function objectPaths(shape: Shape, path: readonly string[] = []): (readonly string[])[] {
  if (shape.kind === 'array') return objectPaths(shape.item, path)
  if (shape.kind === 'record') return objectPaths(shape.value, [...path, 'model-1'])
  if (shape.kind !== 'object') return []
  return [path, ...[...shape.keys].flatMap(([key, field]) => objectPaths(field, [...path, key]))]
}

/** A request with the unknown key in the object at the path, which is added if the request has none there. */
function withKey(value: unknown, path: readonly string[]): unknown {
  if (Array.isArray(value))
    return value.length === 0 ? [withKey({}, path)] : value.map((item) => withKey(item, path))
  const object = typeof value === 'object' && value !== null ? value : {}
  const [next, ...rest] = path
  if (next === undefined) return { ...object, [KEY]: { __proto__: [1.5, { a: null }] } }
  return { ...object, [next]: withKey((object as Record<string, unknown>)[next], rest) }
}

function expectRefused(response: TestResponse, where: unknown): void {
  expect([where, response.status, response.json['reason']]).toEqual([
    where,
    422,
    expect.stringContaining(KEY) as unknown,
  ])
}

function expectNamed(response: TestResponse, path: string): void {
  expect([response.status, response.text.slice(0, 300)]).toEqual([200, expect.anything()])
  expect(response.headers.get('heddle-ignored-fields')?.split(', ')).toContain(path)
}

describe('unknown keys', () => {
  test.each(operationsWithJsonBody)('of the body of %s are refused or named', async (name) => {
    const { deletes, storesRecords } = operationOf(name)
    const shape = shapeOf(operationOf(name).request)
    for (const path of deletes ? objectPaths(shape) : shares.next(objectPaths(shape))) {
      const isRefused = deletes || (path.length > 0 && !storesRecords)
      const { path: url, document } = await (isRefused ? cachedDocument : freshDocument)(name)
      const response = await operations.sendBody(name, url, writeJson(withKey(document, path)))
      const dotted = [...path, KEY].join('.').replace('model-1', '*')
      if (isRefused) expectRefused(response, dotted)
      else expectNamed(response, dotted)
    }
  })

  const others = shares.next(allOperations.filter((name) => !operationOf(name).deletes))

  test.each([...deletions, ...others])('of the query string of %s are refused or named', async (name) => {
    const { deletes } = operationOf(name)
    const request = await (deletes ? operations.exampleCache.get(name) : operations.example(name))
    const { path } = encodeRequest(operationOf(name), request)
    const withParameter = `${path}${path.includes('?') ? '&' : '?'}${KEY}=1`
    const response = await operations.send(name, request, { path: withParameter })
    if (deletes) expectRefused(response, withParameter)
    else expectNamed(response, KEY)
  })

  test('of a form are named', async () => {
    const request = { ...(await operations.example('file_create')), [KEY]: 'x' }
    expectNamed(await operations.send('file_create', request), KEY)
  })

  const withNested = operationsWithJsonBody.filter(
    (name) => operationOf(name).deletes || objectPaths(shapeOf(operationOf(name).request)).length > 1,
  )

  test.each(withNested)('with the value null are harmless in %s, unless it deletes', async (name) => {
    const { path, document } = await cachedDocument(name)
    const objects = positions(shapeOf(operationOf(name).request), document).filter(
      ({ shape }) => shape.kind === 'object',
    )
    for (const position of [[], ...objects.map((each) => each.path)]) {
      const object = { ...(valueAt(document, position) as object), [KEY]: null }
      const response = await operations.sendBody(name, path, writeJson(replaceAt(document, position, object)))
      if (operationOf(name).deletes) expectRefused(response, position)
      else
        expect([position, response.status, response.text.slice(0, 300)]).toEqual([
          position,
          200,
          expect.anything(),
        ])
    }
  })

  test.each(deletions.filter((name) => operationOf(name).body === 'none'))(
    'of a body are refused by %s, which has none',
    async (name) => {
      const { path } = encodeRequest(operationOf(name), await operations.exampleCache.get(name))
      const response = await operations.sendBody(name, path, '{"digests": ["abc"]}')
      expect([response.status, response.json['reason']]).toEqual([
        422,
        expect.stringContaining('has no body'),
      ])
    },
  )
})

async function freshDocument(name: OperationName): Promise<EncodedExample> {
  return encoded(name, await operations.example(name))
}

async function cachedDocument(name: OperationName): Promise<EncodedExample> {
  return encoded(name, await operations.exampleCache.get(name))
}

interface EncodedExample {
  readonly path: string
  readonly document: unknown
}

function encoded(name: OperationName, request: object): EncodedExample {
  const { path, body } = encodeRequest(operationOf(name), request)
  return { path, document: JSON.parse(body as string) as unknown }
}
