import type { Readable } from 'node:stream'
import type { ServerInterceptingCallInterface } from '@grpc/grpc-js'
import type { ApiError } from '../../contract/api-error.ts'
import { decodeBody } from '../encoding.ts'
import type { MemoryLease } from '../memory-budget.ts'

/**
 * Counts the message of a gRPC call against the memory budget while it arrives and while it is decompressed. grpc-js has
 * no interface for that, so this uses two private members of its calls; the tests notice when a new version lacks them.
 * Without them, messages would be counted once they are complete.
 */
interface CallInternals {
  readonly stream?: Readable
  decompressMessage?: (message: Buffer, encoding: string) => Buffer | Promise<Buffer>
}

export interface ReceiveOptions {
  readonly lease: MemoryLease
  readonly caller: string
  readonly limitBytes: number
  /** Ends the call. */
  readonly fail: (error: unknown) => void
}

/** A compressed flag and a length precede each message. */
const PREFIX_BYTES = 5

export function countReceivedBytes(
  call: ServerInterceptingCallInterface,
  { lease, caller, limitBytes, fail }: ReceiveOptions,
): void {
  const internals = call as CallInternals
  const { stream } = internals
  lease.onRevoked((error: ApiError) => fail(error))
  let received = 0
  stream?.on('data', (chunk: Buffer) => {
    received += chunk.length
    const memory = lease.reserve(received)
    if (memory === undefined) return
    stream.pause()
    memory.then(() => stream.resume(), fail)
  })
  internals.decompressMessage = (message, encoding) => {
    lease.complete()
    const bytes = message.subarray(PREFIX_BYTES)
    const decode = async (): Promise<Buffer> => decodeBody(bytes, { encoding, caller, limitBytes, lease })
    return decode().catch((error: unknown) => {
      fail(error)
      throw error
    })
  }
}
