import { expect, test } from 'vitest'
import { versionsStatement } from '../../src/store/objects/object-versions.ts'
import { compile, sql } from '../../src/store/query/sql.ts'
import { rowsStatement } from '../../src/store/objects/tables.ts'
import { HOSTILE, show } from './statements.ts'

const PAGE = { limit: 10, offset: 5 }
const WHOLE = { limit: undefined, offset: undefined }

test('the statements of object queries bind every value', async () => {
  const names = [HOSTILE]
  const filter = {
    object_ids: names,
    base_object_classes: names,
    exclude_base_object_classes: names,
    leaf_object_classes: names,
    is_op: false,
    latest_only: true,
    tags: names,
    aliases: ['latest', HOSTILE],
  }
  const sort_by = [{ field: 'object_id' as const, direction: 'desc' as const }]
  await expect(
    show([
      ['objects query: everything', versionsStatement('acme/demo', { filter: {}, sort_by: null, ...WHOLE })],
      ['objects query: filter, sort and page', versionsStatement('acme/demo', { filter, sort_by, ...PAGE })],
    ]),
  ).toMatchFileSnapshot('./snapshots/objects.sql')
})

test('the statements of table queries bind every value and page unsorted rows before values are read', async () => {
  const sort_by = [{ field: `a.${HOSTILE}`, direction: 'desc' as const }]
  const page = { digest: HOSTILE, row_digests: [], sort_by: null, ...PAGE }
  const sorted = { digest: HOSTILE, row_digests: [HOSTILE], sort_by, ...PAGE }
  await expect(
    show([
      ['table query: in insertion order', rowsStatement('acme/demo', page)],
      ['table query: some rows, sorted', rowsStatement('acme/demo', sorted)],
    ]),
  ).toMatchFileSnapshot('./snapshots/tables.sql')
})

test('a value too long for one parameter is bound in chunks that make the same value', () => {
  const digests = Array.from({ length: 10_000 }, (_, i) => `digest-${i}`)
  const text = `a${'😀'.repeat(50_000)}`
  const { text: statement, params } = compile(sql`SELECT ${digests}, ${text}`)
  expect(statement).toMatch(
    /^SELECT arrayConcat\((\{p\d+:Array\(String\)\}(, )?)+\), concat\((\{p\d+:String\}(, )?)+\)$/,
  )
  const values = Object.values(params)
  expect(values.filter((value) => Array.isArray(value)).flat()).toEqual(digests)
  expect(values.filter((value) => typeof value === 'string').join('')).toBe(text)
  for (const value of values) expect(Buffer.byteLength(JSON.stringify(value))).toBeLessThan(128 * 1024)
})
