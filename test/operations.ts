import { beforeAll, expect } from 'vitest'
import { type Client, createClient } from '../src/client/client.ts'
import { encodeRequest } from '../src/client/encode.ts'
import type { Operation } from '../src/contract/operation.ts'
import { type OperationName, operationNames, operations } from '../src/contract/operations.ts'
import { readJson } from '../src/core/json/read.ts'
import { type Shape, shapeOf } from '../src/core/json/shape.ts'
import { writeJson } from '../src/core/json/write.ts'
import { examples, type ExampleContext, ExampleCache } from './examples.ts'
import { type TestResponse, type TestServer, useServer } from './harness.ts'
import { type Position, positions, replaceAt, valueAt } from './positions.ts'

/** Tests that run for every operation of the contract's table: a new operation is covered before it has its own test. */

export const LIMIT_BYTES = 3 * 1024 * 1024
export const ERROR_BODY = {
  reason: expect.any(String) as unknown,
  code: expect.any(String) as unknown,
  request_id: expect.any(String) as unknown,
}

export function operationOf(name: OperationName): Operation {
  return operations[name] as unknown as Operation
}

/** Only OTLP requires a Content-Type. */
export function typeHeader(name: OperationName): Record<string, string> {
  return operationOf(name).body === 'otlp' ? { 'content-type': 'application/json' } : {}
}

export const allOperations = operationNames()
export const operationsWithBody = allOperations.filter((name) => operationOf(name).body !== 'none')
export const operationsWithJsonBody = operationsWithBody.filter((name) => operationOf(name).body === 'json')

/** Starts a server and returns helpers that send it valid and invalid requests of each operation. */
export function useOperations(): Operations {
  // 32 requests are sent at once, and on several shards each takes longer.
  const server = useServer({ bodyLimitBytes: LIMIT_BYTES, readWaitMs: 60_000 })
  let client: Client | undefined
  let serial = 0
  const context = (): ExampleContext => ({
    client: operationsClient(),
    project_id: server.project_id,
    authorization: server.authorization,
    unique: () => `u${serial++}`,
  })
  const operationsClient = (): Client => {
    client ??= createClient({ url: server.url, authorization: server.authorization })
    return client
  }
  beforeAll(async () => {
    // Creates the project: other users must be rejected because they lack the right, not because it does not exist.
    await operationsClient().call('call_start', {
      start: { project_id: server.project_id, op_name: 'first' },
    })
  })
  return new Operations(server, operationsClient, context)
}

export class Operations {
  readonly server: TestServer
  readonly client: () => Client
  readonly exampleCache: ExampleCache
  readonly #context: () => ExampleContext

  constructor(server: TestServer, client: () => Client, context: () => ExampleContext) {
    this.server = server
    this.client = client
    this.#context = context
    this.exampleCache = new ExampleCache(context)
  }

  async example(name: OperationName): Promise<object> {
    return examples[name](this.#context())
  }

  /** Sends a request of an operation, optionally with another path or other credentials. */
  async send(
    name: OperationName,
    request: object,
    { prefix = '', path = '', authorization = this.server.authorization } = {},
  ): Promise<TestResponse> {
    const encoded = encodeRequest(operationOf(name), request)
    const { method, headers, body } = encoded
    return this.server.as(authorization)(prefix + (path === '' ? encoded.path : path), undefined, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    })
  }

  /** Sends any body with the operation's method. */
  async sendBody(name: OperationName, path: string, body: string): Promise<TestResponse> {
    return this.server.send(path, body, { method: operationOf(name).method, headers: typeHeader(name) })
  }

  /** The URL path of the operation's example. */
  async pathOf(name: OperationName): Promise<string> {
    return encodeRequest(operationOf(name), await this.exampleCache.get(name)).path
  }

  /** The example's body as the server parses it; fields of the path are not part of it. */
  async document(name: OperationName): Promise<{ path: string; document: unknown; shape: Shape }> {
    const { path, body } = encodeRequest(operationOf(name), await this.exampleCache.get(name))
    const shape = shapeOf(operationOf(name).request)
    return { path, document: readJson(Buffer.from(body as string), shape), shape }
  }

  /** Puts each value at each position of the example and returns the requests that got a 5xx or a cookie; expect none. */
  async serverErrors(
    name: OperationName,
    valuesFor: (position: Position, value: unknown) => readonly unknown[],
  ): Promise<unknown[]> {
    const { path, document: valid, shape } = await this.document(name)
    const attempts = positions(shape, valid).flatMap((position) =>
      valuesFor(position, valueAt(valid, position.path)).map((value) => ({ position, value })),
    )
    const errors: unknown[] = []
    await inParallel(32, attempts, async ({ position, value }) => {
      const response = await this.sendBody(name, path, writeJson(replaceAt(valid, position.path, value)))
      if (response.status >= 500 || response.headers.get('set-cookie') !== null) {
        errors.push([
          position.path,
          writeJson(value).slice(0, 100),
          response.status,
          response.text.slice(0, 300),
        ])
      }
    })
    return errors
  }
}

/** Runs the work for all items, with this many workers. */
export async function inParallel<T>(
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
