import { StringDecoder } from 'node:string_decoder'

/** The `data` of server-sent events from a model provider, one text for each line. */
export async function* readEventTexts(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for await (const chunk of bytes) {
    const lines = (rest + decoder.write(chunk)).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const text = dataOf(line)
      if (text !== undefined) yield text
    }
  }
  const text = dataOf(rest.trimEnd())
  if (text !== undefined) yield text
}

function dataOf(line: string): string | undefined {
  const data = /^data: ?(.*)$/s.exec(line)?.[1]
  return data === undefined || data === '' ? undefined : data
}
