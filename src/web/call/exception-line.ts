import { visibleText } from '../ui/visible-text.ts'

/** One-line summary of an exception: the last line of a Python traceback, else the first line. */
export function exceptionLine(exception: string): string {
  const lines = exception
    .slice(0, 20_000)
    .split('\n')
    .filter((line) => line.trim() !== '')
  const line = lines[0]?.startsWith('Traceback') ? lines.at(-1) : lines[0]
  return visibleText((line ?? '').trim().slice(0, 300))
}
