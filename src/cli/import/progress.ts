import type { Environment } from '../command.ts'

/** What is being copied. `rows` are rows of tables; their total is unknown. The last five are of backups, in files, parts and tables. */
type Phase =
  | 'objects'
  | 'rows'
  | 'calls'
  | 'feedback'
  | 'tables'
  | 'files'
  | 'backup'
  | 'checksums'
  | 'restore'
  | 'check'
  | 'copy'

/** Progress display of exports, imports and backups. */
export interface Progress {
  setTotal(phase: Phase, total: number): void
  update(phase: Phase, done: number): void
  message(text: string): void
  end(): void
}

const BAR_CHARACTERS = 30
const REDRAW_MS = 100
const LINE_MS = 5_000

/** A progress bar on a terminal, otherwise a line every few seconds; JSON Lines with --json. On standard error. */
export function createProgress(environment: Environment, isJson: boolean, nowMs: () => number): Progress {
  const totals = new Map<Phase, number>()
  const isTerminal = !isJson && environment.stderr.isTTY === true
  const everyMs = isTerminal ? REDRAW_MS : isJson ? 0 : LINE_MS
  let shownAt = 0
  let shown: Phase | undefined
  const clear = (): void => {
    if (isTerminal && shown !== undefined) environment.stderr.write('\r\u001B[2K')
  }
  return {
    setTotal: (phase, total) => void totals.set(phase, total),
    update: (phase, done) => {
      const total = totals.get(phase)
      const isDue = nowMs() - shownAt >= everyMs || done === total
      if (!isDue) return
      shownAt = nowMs()
      if (isJson) environment.stderr.write(`${JSON.stringify({ phase, done, total: total ?? null })}\n`)
      else if (isTerminal) environment.stderr.write(`\r\u001B[2K${progressBar(phase, done, total)}`)
      else environment.stderr.write(`${progressLine(phase, done, total)}\n`)
      shown = phase
    },
    message: (text) => {
      clear()
      environment.stderr.write(`${text}\n`)
    },
    end: clear,
  }
}

function progressLine(phase: Phase, done: number, total: number | undefined): string {
  return total === undefined ? `${phase}: ${done}` : `${phase}: ${done} of ${total}`
}

function progressBar(phase: Phase, done: number, total: number | undefined): string {
  if (total === undefined || total === 0) return progressLine(phase, done, total)
  const fraction = Math.min(1, done / total)
  const filled = Math.round(fraction * BAR_CHARACTERS)
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_CHARACTERS - filled)
  return `${phase.padEnd(8)} ${bar} ${String(Math.floor(fraction * 100)).padStart(3)} %  ${done} of ${total}`
}
