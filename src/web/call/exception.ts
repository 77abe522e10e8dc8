import { isObject } from '../json/is-object.ts'
import { visibleText } from '../ui/visible-text.ts'

/**
 * Parses the text of an exception: its type and message, and the frames of its stack trace as Python, JavaScript and Java
 * write them, or as the JSON of Weave's Python SDK. Lines that are not frames stay as text, so that nothing is lost.
 */
export interface Exception {
  /** Such as `openai.RateLimitError`; empty if there is none. */
  readonly type: string
  readonly message: string
  readonly stack: readonly StackLine[]
  readonly hasFrames: boolean
  /** As Python writes it: the call that failed comes last. */
  readonly isInnermostLast: boolean
}

type StackLine = StackFrame | { readonly kind: 'text'; readonly text: string }

export interface StackFrame {
  readonly kind: 'frame'
  /** Empty for code outside of a function. */
  readonly name: string
  readonly file: string
  /** `12` or `12:5`; empty if unknown. */
  readonly line: string
  /** The source line, which Python adds. */
  readonly code: string
}

const MAX_CHARACTERS = 50_000
const TRACEBACK = /^[\s+|]*(?:Exception Group )?Traceback\b.*:$/

export function parseException(exception: string): Exception {
  return parseJsonException(exception) ?? parseText(exception)
}

/** One line: type and message. */
export function exceptionLine(exception: string): string {
  const { type, message } = parseException(exception)
  const line = message.split('\n').find((each) => each.trim() !== '') ?? ''
  const title = type === '' || line === '' ? type + line : `${type}: ${line}`
  return visibleText(title.trim().slice(0, 300))
}

/** The exception as text, if it is JSON. For comparisons line by line. */
export function exceptionText(exception: string): string {
  const parsed = parseJsonException(exception)
  if (parsed === undefined) return exception
  const frames = parsed.stack.map((line) =>
    line.kind === 'text' ? line.text : `  ${line.file}:${line.line} in ${line.name}\n    ${line.code}`,
  )
  return [exceptionLine(exception), ...frames].join('\n')
}

const MAX_JSON_CHARACTERS = 1_000_000

/** `{"type": …, "message": …, "traceback": [{"filename", "line_number", "function_name", "text"}]}` */
function parseJsonException(exception: string): Exception | undefined {
  if (!exception.startsWith('{') || exception.length > MAX_JSON_CHARACTERS) return undefined
  const json = parseObject(exception)
  const type = textOf(json?.['type'])
  const message = textOf(json?.['message'])
  if (json === undefined || (type === '' && message === '')) return undefined
  const traceback: unknown[] = Array.isArray(json['traceback']) ? json['traceback'] : []
  const stack = traceback.flatMap((each): StackFrame[] => {
    if (!isObject(each)) return []
    const name = textOf(each['function_name'])
    return [
      {
        kind: 'frame',
        name: name === '<module>' ? '' : name,
        file: textOf(each['filename']),
        line: textOf(each['line_number']),
        code: textOf(each['text']).trim(),
      },
    ]
  })
  return { type, message, stack, hasFrames: stack.length > 0, isInnermostLast: true }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

function parseText(exception: string): Exception {
  const lines = exception.slice(0, MAX_CHARACTERS).trimEnd().split('\n')
  const stackAt = lines.findIndex((line) => TRACEBACK.test(line) || parseFrame(line) !== undefined)
  const head = (stackAt === -1 ? lines : lines.slice(0, stackAt)).join('\n').trim()
  const stack = stackAt === -1 ? [] : parseStack(lines.slice(stackAt))
  const hasFrames = stack.some(({ kind }) => kind === 'frame')
  const end = endText(stack)
  // A traceback alone ends with the exception; after a title it repeats it.
  const title = head === '' ? end : head
  const isRepeated =
    end !== '' && (head === '' || lastPart(head).startsWith(lastPart(end).split('\n')[0] ?? ''))
  return {
    ...splitTitle(title),
    stack: isRepeated ? stack.slice(0, stack.findLastIndex(({ kind }) => kind === 'frame') + 1) : stack,
    hasFrames,
    isInnermostLast: lines.some((line) => PYTHON_FRAME.test(line)),
  }
}

/** The lines after the last frame; the last line if there are no frames. */
function endText(stack: readonly StackLine[]): string {
  const last = stack.findLastIndex(({ kind }) => kind === 'frame')
  return stack
    .slice(last === -1 ? -1 : last + 1)
    .map((line) => (line.kind === 'text' ? line.text : ''))
    .join('\n')
    .trim()
}

/** Without the module, which Python writes in the traceback only. */
function lastPart(title: string): string {
  const { type, message } = splitTitle(title)
  const name = type.slice(type.lastIndexOf('.') + 1)
  return message === '' ? name : `${name}: ${message}`
}

function splitTitle(title: string): { readonly type: string; readonly message: string } {
  const [, type = '', message = ''] = /^([A-Za-z_$][\w$.]*)(?::\s([^]*))?$/.exec(title) ?? []
  // A lower-case word before a colon is part of the message: `timeout: no response`.
  return /[A-Z.]/.test(type) ? { type, message: message.trim() } : { type: '', message: title }
}

function parseStack(lines: readonly string[]): StackLine[] {
  const stack: StackLine[] = []
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? ''
    const frame = parseFrame(line)
    if (frame === undefined) {
      if (line.trim() !== '' && !TRACEBACK.test(line)) stack.push({ kind: 'text', text: line.trim() })
      continue
    }
    const code: string[] = []
    if (PYTHON_FRAME.test(line)) {
      const indent = line.search(/\S/)
      while (i + 1 < lines.length && isSource(lines[i + 1] ?? '', indent)) {
        const source = (lines[++i] ?? '').trim()
        // Carets mark the position in the line above.
        if (!/^[\s~^]+$/.test(source)) code.push(source)
      }
    }
    stack.push({ ...frame, code: code.join('\n') })
  }
  return stack
}

function isSource(line: string, frameIndent: number): boolean {
  return line.trim() !== '' && line.search(/\S/) > frameIndent && parseFrame(line) === undefined
}

const PYTHON_FRAME = /^\s*(?:\|\s*)?File "([^"]+)", line (\d+)(?:, in (.+))?$/
/** `at f (file:1:2)`, `at file:1:2`, `at async f (file:1:2)` */
const JAVASCRIPT_FRAME = /^\s*at (?:(.*?) \()?([^()]+?):(\d+):(\d+)\)?$/
/** `at module/a.b.C.f(F.java:1)`, also `(Native Method)` and `(Unknown Source)` */
const JAVA_FRAME = /^\s*at ([\w$.<>/@-]+)\(([^():]+)(?::(\d+))?\)(?: ~?\[.*\])?$/

function parseFrame(line: string): StackFrame | undefined {
  if (line.length > 1000) return undefined
  const python = PYTHON_FRAME.exec(line)
  if (python !== null) {
    const [, file = '', at = '', name = ''] = python
    return { kind: 'frame', name: name === '<module>' ? '' : name, file, line: at, code: '' }
  }
  const java = JAVA_FRAME.exec(line)
  if (java !== null) {
    const [, name = '', file = '', at = ''] = java
    return { kind: 'frame', name, file, line: at, code: '' }
  }
  const javaScript = JAVASCRIPT_FRAME.exec(line)
  if (javaScript !== null) {
    const [, name = '', file = '', at = '', column = ''] = javaScript
    return { kind: 'frame', name, file, line: `${at}:${column}`, code: '' }
  }
  return undefined
}
