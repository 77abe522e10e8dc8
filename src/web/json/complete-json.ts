/**
 * Completes a JSON document that was truncated anywhere: closes the last string and all containers, and drops a member
 * without a value. Complete documents are returned as they are.
 */
export function completeJson(text: string): string {
  const closers: string[] = []
  /** End of the last complete value, and the closers that it needs. */
  let end = 0
  let endClosers = ''
  let isKey = false
  for (let i = 0; i < text.length; i++) {
    switch (text[i]) {
      case '"': {
        const stringEnd = endOfString(text, i)
        if (stringEnd === undefined) {
          if (isKey) return text.slice(0, end) + endClosers
          const partialEscape = PARTIAL_ESCAPE.exec(text)?.[1] ?? ''
          return `${text.slice(0, text.length - partialEscape.length)}"${closers.toReversed().join('')}`
        }
        i = stringEnd
        if (isKey) isKey = false
        else markEnd(stringEnd + 1)
        break
      }
      case '{':
      case '[':
        closers.push(text[i] === '{' ? '}' : ']')
        isKey = text[i] === '{'
        markEnd(i + 1)
        break
      case '}':
      case ']':
        closers.pop()
        isKey = false
        markEnd(i + 1)
        break
      case ',':
        markEnd(i)
        isKey = closers.at(-1) === '}'
        break
      default:
    }
  }
  return closers.length === 0 ? text : text.slice(0, end) + endClosers

  function markEnd(at: number): void {
    end = at
    endClosers = closers.toReversed().join('')
  }
}

/** After an even number of backslashes, which are complete escapes. */
const PARTIAL_ESCAPE = /(?<!\\)(?:\\\\)*(\\(?:u[0-9a-f]{0,3})?)$/i

/** The index of the closing quote, or undefined in truncated text. */
function endOfString(text: string, start: number): number | undefined {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1))
    if (!isEscaped(text, quote)) return quote
  return undefined
}

/** Whether an odd number of backslashes precedes. */
function isEscaped(text: string, at: number): boolean {
  let slashes = 0
  while (text[at - 1 - slashes] === '\\') slashes++
  return slashes % 2 === 1
}
