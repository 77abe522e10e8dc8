import { beforeAll, expect } from 'vitest'
import { type Client, createClient } from '../src/client/client.ts'
import { encodeRequest } from '../src/client/encode.ts'
import type { Operation } from '../src/contract/operation.ts'
import { type OperationName, operationNames, operations } from '../src/contract/operations.ts'
import { readJson } from '../src/core/json/read.ts'
import { type Shape, shapeOf } from '../src/core/json/shape.ts'
import { writeJson } from '../src/core/json/write.ts'
import { examples, type Ground, KeptExamples } from './examples.ts'
import { type Answer, type TestServer, useServer } from './harness.ts'
import { type Position, positions, replaced, valueAt } from './positions.ts'

/** What every operation owes is driven by the contract's table: a new row is tested before it has a test of its own. */

export const LIMIT_BYTES = 3 * 1024 * 1024
export const PROBLEM = {
  reason: expect.any(String) as unknown,
  code: expect.any(String) as unknown,
  request_id: expect.any(String) as unknown,
}

export function operationOf(name: OperationName): Operation {
  return operations[name] as unknown as Operation
}

export const all = operationNames()
export const bodied = all.filter((name) => operationOf(name).body !== 'none')
export const jsons = bodied.filter((name) => operationOf(name).body === 'json')

/** A server, and how to send it requests of the contract and others. */
export function useOperations(): Operations {
  const server = useServer({ bodyLimitBytes: LIMIT_BYTES })
  let client: Client | undefined
  let serial = 0
  const ground = (): Ground => ({
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
    // The project comes into being, so that strangers are refused for their rights and not for its absence.
    await operationsClient().call('call_start', {
      start: { project_id: server.project_id, op_name: 'first' },
    })
  })
  return new Operations(server, operationsClient, ground)
}

export class Operations {
  readonly server: TestServer
  readonly client: () => Client
  readonly kept: KeptExamples
  readonly #ground: () => Ground

  constructor(server: TestServer, client: () => Client, ground: () => Ground) {
    this.server = server
    this.client = client
    this.#ground = ground
    this.kept = new KeptExamples(ground)
  }

  async example(name: OperationName): Promise<object> {
    return examples[name](this.#ground())
  }

  /** Sends a request of the contract, with any path and credentials. */
  async deliver(
    name: OperationName,
    request: object,
    { prefix = '', path = '', authorization = this.server.authorization } = {},
  ): Promise<Answer> {
    const encoded = encodeRequest(operationOf(name), request)
    const { method, headers, body } = encoded
    return this.server.as(authorization)(prefix + (path === '' ? encoded.path : path), undefined, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    })
  }

  /** A body that is no longer an example's, with the method that the operation has. */
  async sendBody(name: OperationName, path: string, body: string): Promise<Answer> {
    return this.server.send(path, body, { method: operationOf(name).method })
  }

  /** The path to send it to. */
  async pathOf(name: OperationName): Promise<string> {
    return encodeRequest(operationOf(name), await this.kept.of(name)).path
  }

  /** An example as the server's reader sees it, without the fields that stand in the path. */
  async document(name: OperationName): Promise<{ path: string; document: unknown; shape: Shape }> {
    const { path, body } = encodeRequest(operationOf(name), await this.kept.of(name))
    const shape = shapeOf(operationOf(name).request)
    return { path, document: readJson(Buffer.from(body as string), shape), shape }
  }

  /** Puts each of the values into each position of an example: those that are answered with 5xx, which none may be. */
  async failures(
    name: OperationName,
    valuesFor: (position: Position, value: unknown) => readonly unknown[],
  ): Promise<unknown[]> {
    const { path, document: valid, shape } = await this.document(name)
    const attempts = positions(shape, valid).flatMap((position) =>
      valuesFor(position, valueAt(valid, position.path)).map((value) => ({ position, value })),
    )
    const failures: unknown[] = []
    await inParallel(32, attempts, async ({ position, value }) => {
      const answer = await this.sendBody(name, path, writeJson(replaced(valid, position.path, value)))
      if (answer.status >= 500 || answer.headers.get('set-cookie') !== null) {
        failures.push([
          position.path,
          writeJson(value).slice(0, 100),
          answer.status,
          answer.text.slice(0, 300),
        ])
      }
    })
    return failures
  }
}

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
