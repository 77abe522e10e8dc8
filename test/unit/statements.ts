import { expect } from 'vitest'
import { compile, type Sql } from '../../src/store/query/sql.ts'

/** Text that would change a statement if it were not bound. */
export const HOSTILE = "x' OR 1=1 --"

/** Formats statements for snapshots: name and variant, text, bound values. */
export function show(statements: readonly (readonly [title: string, statement: Sql])[]): string {
  return statements
    .map(([title, statement]) => {
      const { text, params } = compile(statement)
      expect([title, text]).not.toEqual([title, expect.stringContaining('OR 1=1')])
      return `-- ${title}\n${text.replaceAll(/[ \t]+$/gm, '')}\n-- ${JSON.stringify(params, spell)}\n`
    })
    .join('\n')
}

/** Microseconds exceed the numbers of JSON. */
function spell(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
