import { StringDecoder } from 'node:string_decoder'

/** Reads the log that embedded ClickHouse writes to its console, and finds its own errors. */
export interface ServerError {
  readonly level: 'error' | 'fatal'
  /** The component of ClickHouse: `heddle.calls (…)`, `MergeTreeBackgroundExecutor`, `BaseDaemon`, … */
  readonly source: string
  /** One line, without values in quotes and without a stack trace. */
  readonly message: string
}

/** `2026.11.17 15:28:54.477751 [ 8636 ] {query id} <Error> heddle.calls (uuid): Part … is broken` */
const ENTRY =
  /^\d{4}\.\d\d\.\d\d \d\d:\d\d:\d\d\.\d+ \[ \d+ \] \{[^}]*\} <(Error|Fatal)> ([^:]{1,200}): (.*)$/
/** Errors of a query go to whoever sent it, with the query's own text and values; they do not belong in a log. */
const QUERY_SOURCE = /^executeQuery$|Handler$/
const MAX_MESSAGE_CHARACTERS = 400
/** ClickHouse writes whole queries in one line. What is beyond is not read. */
const MAX_LINE_CHARACTERS = 16_384

/** Calls `emit` for each error in the output, which arrives in chunks of any size. */
export function readServerErrors(emit: (error: ServerError) => void): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8')
  let line = ''
  const append = (text: string): void => {
    line += text.slice(0, MAX_LINE_CHARACTERS - line.length)
  }
  return (chunk) => {
    const [rest = '', ...lines] = decoder.write(chunk).split('\n').reverse()
    for (const text of lines.reverse()) {
      append(text)
      const error = parseServerError(line)
      if (error !== undefined) emit(error)
      line = ''
    }
    append(rest)
  }
}

function parseServerError(line: string): ServerError | undefined {
  const [, level, source = '', text = ''] = ENTRY.exec(line) ?? []
  if (level === undefined || QUERY_SOURCE.test(source)) return undefined
  return { level: level === 'Fatal' ? 'fatal' : 'error', source, message: withoutValues(text) }
}

/**
 * Exceptions quote the value that they could not process, which may be the text of a user and may go on in the next line.
 * Names of parts and files are not quoted. An apostrophe (`doesn't`) follows a letter.
 */
function withoutValues(text: string): string {
  const message = text
    .replace(/, Stack trace \(when copying.*$/, '')
    .replace(/(?<!\w)(['"`])(?:\\.|(?!\1).)*(?:\1|$)/g, '$1…$1')
    .replace(/\p{Cc}/gu, ' ')
  return message.length > MAX_MESSAGE_CHARACTERS ? `${message.slice(0, MAX_MESSAGE_CHARACTERS)}…` : message
}
