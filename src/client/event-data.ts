/** Extracts the JSON documents from the lines of server-sent events. A heartbeat is a comment followed by an id. */
export async function* readEventData(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let isHeartbeat = false
  for await (const line of lines) {
    const colon = line.indexOf(': ')
    const field = line.slice(0, colon)
    const value = line.slice(colon + 2)
    if (field === 'data') yield value
    else if (field === 'id' && isHeartbeat) yield JSON.stringify({ kind: 'heartbeat', cursor: value })
    isHeartbeat = field === ''
  }
}
