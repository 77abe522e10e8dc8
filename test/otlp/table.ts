import { readFile, writeFile } from 'node:fs/promises'
import { stacks } from './checks.ts'
import { COLUMNS, type Stack } from './stack-checks.ts'

/** The table of stacks in docs/opentelemetry.md. */

export interface StackResult {
  readonly stack: Stack
  /** By the name of the check. */
  readonly passed: Readonly<Record<string, boolean>>
}

const PAGE = new URL('../../docs/opentelemetry.md', import.meta.url)
const MARKED = /(<!-- stacks: [^\n]* -->\n\n)([^]*?)(<!-- end of stacks -->)/

/** Writes the rows of the stacks that ran, and keeps the others. */
export async function writeTable(results: readonly StackResult[]): Promise<void> {
  const page = await readFile(PAGE, 'utf8')
  const [, , old] = MARKED.exec(page) ?? []
  if (old === undefined) throw new Error('the page has no place for the table')
  const rows = Object.values(stacks).flatMap((stack) => {
    if (stack.title === undefined) return []
    const result = results.find((each) => each.stack === stack)
    return result === undefined
      ? old.split('\n').filter((line) => line.startsWith(`| ${stack.title} |`))
      : [row(result)]
  })
  const heading = [`| stack | ${COLUMNS.join(' | ')} |`, `|${' --- |'.repeat(COLUMNS.length + 1)}`]
  const date = new Date().toISOString().slice(0, 10)
  const table = [`Last run on ${date}.`, '', ...heading, ...rows, '', ...REASONS.map(numbered), '', ''].join(
    '\n',
  )
  await writeFile(
    PAGE,
    page.replace(MARKED, (_, start: string, _old: string, end: string) => start + table + end),
  )
}

const REASONS = [...new Set(Object.values(stacks).flatMap(({ absent = {} }) => Object.values(absent)))]

const numbered = (reason: string, i: number): string => `${i + 1}. ${reason}`

function row({ stack, passed }: StackResult): string {
  const cells = COLUMNS.map((column) => {
    const reason = stack.absent?.[column]
    if (reason !== undefined) return `– (${REASONS.indexOf(reason) + 1})`
    const outcomes = Object.entries(passed).filter(([name]) => name.startsWith(column))
    if (outcomes.length === 0) throw new Error(`${stack.title} has no check of ${column}, and no reason`)
    return outcomes.every(([, isPassed]) => isPassed) ? 'yes' : '**no**'
  })
  return `| ${[stack.title, ...cells].join(' | ')} |`
}
