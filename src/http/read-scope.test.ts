import { EventEmitter } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { ConcurrencyLimiter } from '../core/concurrency/concurrency-limiter.ts'
import { currentRequest } from '../core/concurrency/request-scope.ts'
import { readInScope } from './read-scope.ts'

const request = { id: 'r' } as FastifyRequest

function replyTo(client: { readonly destroyed: boolean }) {
  const raw = Object.assign(new EventEmitter(), { writableFinished: false, ...client })
  return { raw, reply: { raw, hijack: () => 'hijacked' } as unknown as FastifyReply }
}

const READ = { project_id: 'a', mayGoOn: undefined }

test('a client who left while its request was being read keeps no turn, and nothing is asked for it', async () => {
  const reads = new ConcurrencyLimiter({ maxConcurrent: 1, maxPerProject: 1, waitMs: 10 })
  const { reply } = replyTo({ destroyed: true })
  const answer = await readInScope(request, reply, READ, async (signal) => {
    await currentRequest()!.turn(() => reads.take('a'))
    signal.throwIfAborted()
    return 'answered'
  })
  expect(answer).toBe('hijacked')
  expect(reads.takeNow('a')).toBeDefined()
})

test('the signal is given when the client leaves, and not when it was answered', async () => {
  for (const writableFinished of [false, true]) {
    const { raw, reply } = replyTo({ destroyed: false })
    const signal = (await readInScope(request, reply, READ, (given) => Promise.resolve(given))) as AbortSignal
    expect(signal.aborted).toBe(false)
    Object.assign(raw, { writableFinished })
    raw.emit('close')
    expect(signal.aborted).toBe(!writableFinished)
  }
})
