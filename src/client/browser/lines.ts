import { ApiError } from '../../contract/api-error.ts'

/** The lines of an answer, as they arrive. Leaving the loop early ends the request. */
export async function* readTextLines(response: Response): AsyncGenerator<string> {
  if (response.body === null) return
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  // Pieces of the line that has not ended yet: joined once, however many chunks a large document takes.
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
    if (error instanceof TypeError)
      throw new ApiError('unavailable', 'the answer was cut off', { cause: error })
    throw error
  } finally {
    // Ends the request of a reader who has had enough; after the end it does nothing.
    await reader.cancel().catch(() => undefined)
  }
}

/** The data of each server-sent event. A heartbeat is a comment and an id. */
export async function* readEventData(response: Response): AsyncGenerator<string> {
  let isBeat = false
  for await (const line of readTextLines(response)) {
    const colon = line.indexOf(': ')
    const field = line.slice(0, colon)
    const value = line.slice(colon + 2)
    if (field === 'data') yield value
    else if (field === 'id' && isBeat) yield JSON.stringify({ kind: 'heartbeat', cursor: value })
    isBeat = field === ''
  }
}
