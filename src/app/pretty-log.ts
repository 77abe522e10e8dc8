/** Formats pino's JSON lines for a terminal: time, level, message, fields, and the stack of an error below. */

const LEVELS: Readonly<Record<number, { readonly name: string; readonly color: number }>> = {
  10: { name: 'TRACE', color: 90 },
  20: { name: 'DEBUG', color: 90 },
  30: { name: 'INFO', color: 32 },
  40: { name: 'WARN', color: 33 },
  50: { name: 'ERROR', color: 31 },
  60: { name: 'FATAL', color: 35 },
}

interface LogLine {
  readonly level: number
  readonly time: number
  readonly msg?: string
  readonly err?: { readonly message?: string; readonly stack?: string }
  readonly [field: string]: unknown
}

export class PrettyLogStream {
  readonly #output: { write(text: string): unknown; readonly isTTY?: boolean }
  /** Lines that wait for the banner; undefined once it was shown. */
  #pending: string[] | undefined

  constructor(
    output: { write(text: string): unknown; readonly isTTY?: boolean },
    bannerShown?: Promise<void>,
  ) {
    this.#output = output
    if (bannerShown === undefined) return
    this.#pending = []
    void bannerShown.then(() => this.#flush())
  }

  write(json: string): void {
    const text = formatLogLine(JSON.parse(json) as LogLine, this.#output.isTTY === true)
    if (this.#pending === undefined) this.#output.write(text)
    else this.#pending.push(text)
  }

  #flush(): void {
    const text = this.#pending?.join('') ?? ''
    this.#pending = undefined
    if (text !== '') this.#output.write(text)
  }
}

export function formatLogLine(line: LogLine, hasColors: boolean): string {
  const { level, time, msg = '', err, pid: _pid, hostname: _hostname, ...fields } = line
  const { name, color } = LEVELS[level] ?? { name: String(level), color: 37 }
  const paint = (text: string, code: number): string =>
    hasColors ? `\u001B[${code}m${text}\u001B[39m` : text
  const clock = new Date(time).toTimeString().slice(0, 8)
  const shown = Object.entries(fields).map(([key, value]) => ` ${paint(`${key}=`, 90)}${fieldText(value)}`)
  const error = err === undefined ? '' : `\n${err.stack ?? err.message ?? ''}`.replaceAll('\n', '\n    ')
  return `${paint(clock, 90)} ${paint(name.padEnd(5), color)} ${msg}${shown.join('')}${error}\n`
}

function fieldText(value: unknown): string {
  return typeof value === 'string' && !/[\s"]/.test(value) ? value : JSON.stringify(value)
}
