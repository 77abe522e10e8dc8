import { cutOffError } from './cut-off.ts'

/** Streams the bytes of a response. Throws if it was cut off. Breaking out of the loop cancels the request. */
export async function* readBytes(response: Response): AsyncGenerator<Uint8Array> {
  if (response.body === null) return
  try {
    yield* response.body as unknown as AsyncIterable<Uint8Array>
  } catch (error) {
    if (error instanceof TypeError) throw cutOffError(error)
    throw error
  }
}
