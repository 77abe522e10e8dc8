import { AsyncLocalStorage } from 'node:async_hooks'

type Release = () => void

/**
 * A read that somebody waits for. It is found by whatever works on it, however deep: passing it through every
 * function between a route and a statement would leave it out somewhere, and what is left out is a query that runs on
 * for a client who has gone.
 */
export class RequestScope {
  /** Whose turn its statements take; undefined if it reads no project. */
  readonly project_id: string | undefined
  readonly request_id: string
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal
  #turn: Promise<Release> | undefined
  #isOver = false

  constructor(of: Pick<RequestScope, 'project_id' | 'request_id' | 'signal'>) {
    this.project_id = of.project_id
    this.request_id = of.request_id
    this.signal = of.signal
  }

  /** One turn for all its statements: one that holds a turn and waits for another would wait for itself. */
  async turn(take: () => Promise<Release>): Promise<void> {
    // A turn that is taken now would never be given back.
    if (this.#isOver) return
    this.#turn ??= take()
    await this.#turn
  }

  /** For a turn that was taken already, the one it holds is given back. */
  trade(turn: Release): void {
    if (this.#isOver) return turn()
    this.#giveBack()
    this.#turn = Promise.resolve(turn)
  }

  /** It was answered, or nobody waits any more. */
  close(): void {
    this.#isOver = true
    this.#giveBack()
  }

  #giveBack(): void {
    const turn = this.#turn
    this.#turn = undefined
    turn?.then(
      (release) => release(),
      () => {},
    )
  }
}

const scopes = new AsyncLocalStorage<RequestScope | undefined>()

export function currentRequest(): RequestScope | undefined {
  return scopes.getStore()
}

export function inRequest<T>(scope: RequestScope, work: () => T): T {
  return scopes.run(scope, work)
}

/** For work that others wait for too: it must not end because the one who began it has gone. */
export function forEverybody<T>(work: () => T): T {
  return scopes.run(undefined, work)
}

/** A stream whose every part is made in the scope of the request that it was begun in, whoever asks for the part. */
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
