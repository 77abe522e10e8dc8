import { expect } from 'vitest'
import { compile, type Sql } from '../../src/store/query/sql.ts'

/** Text that would change a statement if it got into it. */
export const HOSTILE = "x' OR 1=1 --"

/** Statements as snapshots show them: the name they run under and what is asked, the text, the bound values. */
export function show(statements: readonly (readonly [title: string, statement: Sql])[]): string {
  return statements
    .map(([title, statement]) => {
      const { text, params } = compile(statement)
      expect([title, text]).not.toEqual([title, expect.stringContaining('OR 1=1')])
      return `-- ${title}\n${text.replaceAll(/[ \t]+$/gm, '')}\n-- ${JSON.stringify(params, spell)}\n`
    })
    .join('\n')
}

/** Microseconds are beyond what JSON's numbers hold. */
function spell(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
