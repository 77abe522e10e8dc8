import type { World } from '../command.ts'

/** What is being copied; rows are those of tables, whose number nobody knows before. */
type Phase = 'objects' | 'rows' | 'calls' | 'feedback' | 'tables' | 'files'

/** Told how far a phase is; a person, a log or a program hears of it. */
export interface Progress {
  total(phase: Phase, total: number): void
  at(phase: Phase, done: number): void
  note(sentence: string): void
  end(): void
}

const BAR_CHARACTERS = 30
const REDRAW_MS = 100
const LINE_MS = 5_000

/** A bar on a terminal, a line every few seconds elsewhere, a JSON document a line for a program. */
export function createProgress(world: World, isJson: boolean, nowMs: () => number): Progress {
  const totals = new Map<Phase, number>()
  const isTerminal = !isJson && world.stderr.isTTY === true
  const everyMs = isTerminal ? REDRAW_MS : isJson ? 0 : LINE_MS
  let shownAt = 0
  let shown: Phase | undefined
  const clear = (): void => {
    if (isTerminal && shown !== undefined) world.stderr.write('\r\u001B[2K')
  }
  return {
    total: (phase, total) => void totals.set(phase, total),
    at: (phase, done) => {
      const total = totals.get(phase)
      const isDue = nowMs() - shownAt >= everyMs || done === total
      if (!isDue) return
      shownAt = nowMs()
      if (isJson) world.stdout.write(`${JSON.stringify({ phase, done, total: total ?? null })}\n`)
      else if (isTerminal) world.stderr.write(`\r\u001B[2K${barOf(phase, done, total)}`)
      else world.stderr.write(`${lineOf(phase, done, total)}\n`)
      shown = phase
    },
    note: (sentence) => {
      clear()
      world.stderr.write(`${sentence}\n`)
    },
    end: clear,
  }
}

function lineOf(phase: Phase, done: number, total: number | undefined): string {
  return total === undefined ? `${phase}: ${done}` : `${phase}: ${done} of ${total}`
}

function barOf(phase: Phase, done: number, total: number | undefined): string {
  if (total === undefined || total === 0) return lineOf(phase, done, total)
  const share = Math.min(1, done / total)
  const filled = Math.round(share * BAR_CHARACTERS)
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_CHARACTERS - filled)
  return `${phase.padEnd(8)} ${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${done} of ${total}`
}
