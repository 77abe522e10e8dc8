import { StringDecoder } from 'node:string_decoder'

/** The `data` of server-sent events from a model provider, one text for each line. */
export async function* readEventTexts(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  // A long line arrives in many pieces, of which each is searched once.
  let pieces: string[] = []
  for await (const chunk of bytes) {
    const text = decoder.write(chunk)
    if (!text.includes('\n')) {
      pieces.push(text)
      continue
    }
    const lines = (pieces.join('') + text).split('\n')
    pieces = [lines.pop() ?? '']
    for (const line of lines) {
      const data = dataOf(line)
      if (data !== undefined) yield data
    }
  }
  const data = dataOf(pieces.join(''))
  if (data !== undefined) yield data
}

function dataOf(line: string): string | undefined {
  const data = /^data: ?(.*?)\r?$/s.exec(line)?.[1]
  return data === undefined || data === '' ? undefined : data
}
