import { visibleText } from '../ui/visible-text.ts'

/** What went wrong in one line: the last of a Python traceback, the first of anything else. */
export function exceptionLine(exception: string): string {
  const lines = exception
    .slice(0, 20_000)
    .split('\n')
    .filter((line) => line.trim() !== '')
  const line = lines[0]?.startsWith('Traceback') ? lines.at(-1) : lines[0]
  return visibleText((line ?? '').trim().slice(0, 300))
}
