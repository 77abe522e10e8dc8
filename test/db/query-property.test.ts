import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { RawJson } from '../../src/contract/raw-json.ts'
import { queryForm } from '../../src/core/json/query-form.ts'
import type { Operand } from '../../src/core/query/ast.ts'
import { parseQuery } from '../../src/core/query/parse.ts'
import { splitPath } from '../../src/core/query/path.ts'
import { formatTime } from '../../src/core/time.ts'
import { callFields } from '../../src/store/calls/fields.ts'
import { compileCondition } from '../../src/store/query/compile.ts'
import { compileSort } from '../../src/store/query/sort.ts'
import { join, type Sql, sql } from '../../src/store/sql.ts'
import { useServer } from '../harness.ts'
import { matches, order, type Row } from '../query-interpreter.ts'
import { anyField, anyQuery, anyRow, type PlainRow } from './query-arbitraries.ts'

/** What the engine answers to a query is what a small interpreter answers on the same rows. */

const server = useServer()
const SEED = 20_261_115
const plainRows: PlainRow[] = fc.sample(anyRow, { numRuns: 300, seed: SEED })
const rows: Row[] = plainRows.map(interpreted)
const fields = callFields('acme/demo')

beforeAll(async () => {
  await server.heddle.deps.db
    .ddl(`CREATE TABLE queried (n UInt32, id String, parent_id String, op_name LowCardinality(String),
    started_at DateTime64(6, 'UTC'), ended_at Nullable(DateTime64(6, 'UTC')), exception Nullable(String),
    wb_run_step Nullable(UInt64), input_refs Array(String), inputs String, inputs_query_form String,
    output String, output_query_form String) ENGINE = Memory`)
  await server.heddle.deps.db.insert('queried', plainRows.map(stored))
})

function stored(row: PlainRow, n: number): object {
  const form = (text: string): string => queryForm(Buffer.from(text))?.toString() ?? ''
  return {
    ...row,
    n,
    started_at: formatTime(row.started_at),
    ended_at: row.ended_at === null ? null : formatTime(row.ended_at),
    inputs_query_form: form(row.inputs),
    output_query_form: form(row.output),
  }
}

function interpreted(row: PlainRow): Row {
  return new Map([
    ['id', { text: row.id }],
    ['parent_id', { text: row.parent_id === '' ? null : row.parent_id }],
    ['op_name', { text: row.op_name }],
    ['started_at', { time: row.started_at }],
    ['ended_at', { time: row.ended_at }],
    ['exception', { text: row.exception }],
    ['wb_run_step', { int: row.wb_run_step === null ? null : BigInt(row.wb_run_step) }],
    ['input_refs', { list: row.input_refs }],
    ['inputs', { json: row.inputs }],
    ['output', { json: row.output }],
  ])
}

function read(text: string): Operand {
  return parseQuery(RawJson.fromBytes(Buffer.from(text)))!
}

/** The first row on which the two disagree, to be read beside the query. */
function difference(expected: readonly number[], found: readonly number[]): string {
  const [a, b] = [new Set(expected), new Set(found)]
  const wrong = plainRows.find((_, n) => a.has(n) !== b.has(n))
  if (wrong === undefined) return ''
  return JSON.stringify(wrong, (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v))
}

async function ask(conditions: readonly Sql[]): Promise<number[][]> {
  const found = conditions.map((condition) => sql`arraySort(groupArrayIf(n, ifNull(${condition}, 0) != 0))`)
  const row = await server.heddle.deps.db.first<{ found: number[][] }>(
    sql`SELECT [${join(found, ',\n')}] AS found FROM queried`,
    { name: 'query property', kind: 'scan' },
  )
  return row!.found
}

test('the engine and the interpreter find the same rows, for 1,000 queries of 1 to 6 predicates', async () => {
  const batch = fc.array(anyQuery, { minLength: 10, maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(batch, async (texts) => {
      const queries = texts.map(read)
      const found = await ask(queries.map((query) => compileCondition(query, fields)))
      queries.forEach((query, i) => {
        const expected = rows.flatMap((row, n) => (matches(query, row) ? [n] : []))
        expect(found[i], `${texts[i]}\n${difference(expected, found[i]!)}`).toEqual(expected)
      })
    }),
    // Not shrunk: the message has the query and the row already, and shrinking asks the engine a thousand times.
    { numRuns: 100, seed: SEED, endOnFailure: true },
  )
}, 600_000)

test('a condition holds in no row in which its $not holds', async () => {
  const queries = fc.sample(anyQuery, { numRuns: 100, seed: SEED + 1 }).map(read)
  const both = queries.map((query) =>
    compileCondition({ op: 'and', operands: [query, { op: 'not', operand: query }] }, fields),
  )
  // A plain ClickHouse takes statements of up to 128 KiB.
  for (let i = 0; i < both.length; i += 20) {
    for (const found of await ask(both.slice(i, i + 20))) expect(found).toEqual([])
  }
})

test('rows come in the order of the interpreter, and pages concatenate without gap or repeat', async () => {
  const direction = fc.constantFrom('asc' as const, 'desc' as const)
  const wish = fc.array(fc.record({ field: anyField, direction }), { minLength: 1, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(wish, fc.integer({ min: 20, max: 150 }), async (sort_by, size) => {
      const terms = [...compileSort(sort_by, fields), sql`n`]
      const paths = sort_by.map(({ field }) => splitPath(field))
      const expected = rows
        .map((row, n) => ({ row, n }))
        .sort((a, b) => {
          for (const [i, path] of paths.entries()) {
            const difference = order(path, sort_by[i]!.direction, a.row, b.row)
            if (difference !== 0) return difference
          }
          return a.n - b.n
        })
        .map(({ n }) => n)
      const got: number[] = []
      for (let offset = 0; offset < rows.length; offset += size) {
        const page = await server.heddle.deps.db.rows<{ n: number }>(
          sql`SELECT n FROM queried ORDER BY ${join(terms, ', ')} LIMIT ${size} OFFSET ${offset}`,
          { name: 'query order', kind: 'scan' },
        )
        got.push(...page.map(({ n }) => n))
      }
      expect(got).toEqual(expected)
    }),
    { numRuns: 40, seed: SEED, endOnFailure: true },
  )
})
