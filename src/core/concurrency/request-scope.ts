import { AsyncLocalStorage } from 'node:async_hooks'
import type { PartialResult } from './partial-result.ts'
import type { ReadSlot } from './read-slot.ts'
import type { ResultLimit } from './result-limit.ts'

/**
 * The part of a request that database statements use, carried in AsyncLocalStorage. Passing it as a parameter
 * through every function between route and statement would miss some, and a query without it keeps running after the
 * client disconnects. src/http/request-context.ts implements it.
 */
export interface RequestScope {
  readonly request_id: string
  /** The caller, whose concurrency limits apply. */
  readonly user_id: string
  /** The project whose concurrency limit applies; undefined if the request reads no project. */
  readonly project_id: string | undefined
  /** Aborted when the client disconnects; undefined for writes, which are not cancelled. */
  readonly signal: AbortSignal | undefined
  /** Aborted when the client disconnects, also during a write: for work whose result nobody would get. */
  readonly disconnected?: () => AbortSignal
  readonly slot: ReadSlot
  /** Undefined without a limit. */
  readonly resultLimit?: ResultLimit | undefined
  /** Undefined if the response must be complete. */
  readonly partial?: PartialResult | undefined
}

const scopes = new AsyncLocalStorage<RequestScope | undefined>()

export function currentRequest(): RequestScope | undefined {
  return scopes.getStore()
}

/** Whether the response of the current request leaves out shards: what was read must not be cached as complete. */
export function isPartialResult(): boolean {
  return (scopes.getStore()?.partial?.shards.length ?? 0) > 0
}

export function inRequest<T>(scope: RequestScope, work: () => T): T {
  return scopes.run(scope, work)
}

/** Runs shared work without a scope, so that it is not aborted when the request that started it is. */
export function outsideRequest<T>(work: () => T): T {
  return scopes.run(undefined, work)
}

/** A stream that produces each item in the scope of the request that created it, whoever reads it. */
export function streamInRequest<T>(items: AsyncIterable<T>): AsyncIterable<T> {
  const scope = currentRequest()
  if (scope === undefined) return items
  return {
    [Symbol.asyncIterator]: () => {
      const iterator = inRequest(scope, () => items[Symbol.asyncIterator]())
      return {
        next: () => inRequest(scope, () => iterator.next()),
        return: (value?: unknown) =>
          inRequest(
            scope,
            async () => (await iterator.return?.(value)) ?? { done: true, value: undefined as T },
          ),
      }
    },
  }
}
