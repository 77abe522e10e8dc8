import { cutOffError } from '../cut-off.ts'

/** Streams the lines of a response. Breaking out of the loop cancels the request. */
export async function* readTextLines(response: Response): AsyncGenerator<string> {
  if (response.body === null) return
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  // Chunks of the unfinished line. They are joined once, however many chunks a large document takes.
  let pending: string[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true })
      const [first = '', ...others] = text.split('\n')
      pending.push(first)
      for (const next of others) {
        const line = pending.join('')
        pending = [next]
        if (line !== '') yield line
      }
      if (!done) continue
      const line = pending.join('')
      if (line !== '') yield line
      return
    }
  } catch (error) {
    if (error instanceof TypeError) throw cutOffError(error)
    throw error
  } finally {
    // Cancels the request if the loop ended early; after the end of the response it does nothing.
    await reader.cancel().catch(() => undefined)
  }
}
