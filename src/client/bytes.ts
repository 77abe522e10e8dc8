import { ApiError } from '../contract/api-error.ts'

/** The bytes of an answer as they arrive; throws if it was cut off. Leaving the loop early ends the request. */
export async function* readBytes(response: Response): AsyncGenerator<Uint8Array> {
  if (response.body === null) return
  try {
    yield* response.body as unknown as AsyncIterable<Uint8Array>
  } catch (error) {
    if (error instanceof TypeError)
      throw new ApiError('unavailable', 'the answer was cut off', { cause: error })
    throw error
  }
}
