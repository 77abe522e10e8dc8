import { describe, expect, test } from 'vitest'
import { tableDigest } from '../../src/core/objects/digest.ts'
import { projectNames, useServer } from '../harness.ts'

const server = useServer()

type Json = Record<string, unknown>

interface Created {
  digest: string
  row_digests: string[]
}

interface Row {
  digest: string
  val: Json
  original_index: number
}

const newProject = projectNames('acme/tables')

async function create(project_id: string, rows: readonly Json[]): Promise<Created> {
  return server.post<Created>('/table/create', { table: { project_id, rows } })
}

async function query(project_id: string, digest: string, extra: Json = {}): Promise<Row[]> {
  return (await server.post<{ rows: Row[] }>('/table/query', { project_id, digest, ...extra })).rows
}

async function status(path: string, body: unknown): Promise<number> {
  return (await server.send(path, body)).status
}

describe('creating', () => {
  test('a table and its rows have the digests that clients compute', async () => {
    const project_id = newProject()
    const created = await create(project_id, [
      { id: 1, value: 2 },
      { id: 2, value: 3 },
      { id: 3, value: 4 },
    ])
    expect(created).toEqual({
      digest: '03b86e8588d298a1814945664597d94281cb0dbca3b4ff8b0fcff30a6305d33e',
      row_digests: [
        'mriP98RC2VPGkzk0QeZZ2hq4pUA8fQnhNlsivPxyYYA',
        'DT31YGNzrm7UClL9NXjXYHGXBhYZJsh4Ct9jjBWY74s',
        '1dMFHVoxulzjLOSTzDQMrTQ5ckPCI3aF2487OjvmxJI',
      ],
    })
  })

  test('an empty list of digests is a valid table', async () => {
    const project_id = newProject()
    const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
    expect(await server.post('/table/create_from_digests', { project_id, row_digests: [] })).toEqual({
      digest: empty,
    })
    expect(await query(project_id, empty)).toEqual([])
    expect(await create(project_id, [])).toEqual({ digest: empty, row_digests: [] })
  })

  test('rows may arrive before or after the table that lists them', async () => {
    const project_id = newProject()
    const { row_digests } = await create(newProject(), [{ a: 1 }, { a: 2 }])
    const { digest } = await server.post<Created>('/table/create_from_digests', { project_id, row_digests })
    expect(await query(project_id, digest)).toEqual([])
    await create(project_id, [{ a: 2 }])
    await create(project_id, [{ a: 1 }])
    expect((await query(project_id, digest)).map((row) => row.val)).toEqual([{ a: 1 }, { a: 2 }])
  })

  test('a digest other than the expected one is a conflict', async () => {
    const project_id = newProject()
    const table = { project_id, rows: [{ a: 1 }], expected_digest: 'other' }
    expect(await status('/table/create', { table })).toBe(409)
    expect(
      await status('/table/create_from_digests', { project_id, row_digests: [], expected_digest: 'x' }),
    ).toBe(409)
  })

  test('a row that is not an object is rejected', async () => {
    const project_id = newProject()
    for (const row of [1, 'a', null, []]) {
      expect(await status('/table/create', { table: { project_id, rows: [row] } })).toBe(422)
    }
  })
})

describe('reading', () => {
  test('rows are returned in insertion order with duplicates, also after the table is sent again', async () => {
    const project_id = newProject()
    const rows = [{ a: 2 }, { a: 1 }, { a: 2 }, { a: 3 }, { a: 2 }]
    const { digest, row_digests } = await create(project_id, rows)
    await create(project_id, rows)
    const found = await query(project_id, digest)
    expect(found.map((row) => row.val)).toEqual(rows)
    expect(found.map((row) => row.digest)).toEqual(row_digests)
    expect(found.map((row) => row.original_index)).toEqual([0, 1, 2, 3, 4])
    expect(await server.post('/table/query_stats', { project_id, digest })).toEqual({ count: 5 })
  })

  test('a row is returned byte for byte', async () => {
    const project_id = newProject()
    const row = '{ "n":1.0,"big": 123456789012345678901234567890,"s":"\\ud800é" ,"e":1e400}'
    const response = await server.send(
      '/table/create',
      `{"table":{"project_id":"${project_id}","rows":[${row}]}}`,
    )
    const { text } = await server.send('/table/query', { project_id, digest: response.json['digest'] })
    expect(text).toContain(row)
  })

  test('an unknown table or row returns nothing', async () => {
    const project_id = newProject()
    const { digest } = await create(project_id, [{ a: 1 }])
    expect(await query(project_id, 'nope')).toEqual([])
    expect(await query(project_id, digest, { filter: { row_digests: ['nope'] } })).toEqual([])
    expect(await server.post('/table/query_stats', { project_id, digest: 'nope' })).toEqual({ count: 0 })
  })

  test('a filter returns the requested rows with their index in the table', async () => {
    const project_id = newProject()
    const { digest, row_digests } = await create(project_id, [{ a: 1 }, { a: 2 }, { a: 1 }])
    const found = await query(project_id, digest, { filter: { row_digests: [row_digests[0]] } })
    expect(found.map((row) => row.original_index)).toEqual([0, 2])
    expect(await query(project_id, digest, { filter: { row_digests: [] } })).toHaveLength(3)
    expect(await query(project_id, digest, { filter: {} })).toHaveLength(3)
  })

  test('pages concatenate without gaps or repeats, sorted or not', async () => {
    const project_id = newProject()
    const rows = Array.from({ length: 25 }, (_, i) => ({ a: i % 4, b: i }))
    const { digest } = await create(project_id, rows)
    for (const sort_by of [null, [{ field: 'a', direction: 'desc' }]]) {
      const whole = await query(project_id, digest, { sort_by })
      const pages = await Promise.all(
        [0, 7, 14, 21, 28].map((offset) => query(project_id, digest, { sort_by, limit: 7, offset })),
      )
      expect(pages.flat()).toEqual(whole)
      expect(whole).toHaveLength(25)
      expect(await query(project_id, digest, { sort_by, offset: 20 })).toEqual(whole.slice(20))
      expect(await query(project_id, digest, { sort_by, limit: 0 })).toEqual([])
    }
    for (const bad of [{ limit: -1 }, { offset: -1 }]) {
      expect(await status('/table/query', { project_id, digest, ...bad })).toBe(422)
    }
  })
})

describe('sorting', () => {
  const order = async (rows: readonly Json[], field: string, options: Json): Promise<unknown[]> => {
    const project_id = newProject()
    const { digest } = await create(project_id, rows)
    const found = await query(project_id, digest, { sort_by: [{ field, ...options }] })
    return found.map((row) => row.original_index)
  }

  test('sorts numbers by value, then text; missing and null last in both directions; ties by index', async () => {
    const rows = [{ a: 'x' }, {}, { a: 10 }, { a: 9.5 }, { a: null }, { a: 'b' }, { a: 9.5 }, { a: -1 }]
    expect(await order(rows, 'a', { direction: 'asc' })).toEqual([7, 3, 6, 2, 5, 0, 1, 4])
    expect(await order(rows, 'a', { direction: 'desc' })).toEqual([2, 3, 6, 7, 0, 5, 1, 4])
  })

  test('`order` is a synonym of `direction` and wins over it', async () => {
    expect(await order([{ a: 1 }, { a: 2 }], 'a', { order: 'desc' })).toEqual([1, 0])
    expect(await order([{ a: 2 }, { a: 1 }], 'a', {})).toEqual([1, 0])
    expect(await order([{ a: 1 }, { a: 2 }], 'a', { order: 'desc', direction: 'asc' })).toEqual([1, 0])
  })

  test('a dotted field is a path into nested objects', async () => {
    const rows = [{ a: { b: { c: 2 } } }, { a: { b: { c: 1 } } }, { a: 1 }]
    expect(await order(rows, 'a.b.c', { direction: 'asc' })).toEqual([1, 0, 2])
  })

  test('rows that ClickHouse cannot parse as JSON are sorted too', async () => {
    const project_id = newProject()
    const rows = [
      '{"a":3}',
      '{"a":2,"n":1e400}',
      '{"a":1,"n":99999999999999999999999}',
      '{"a":0,"s":"\\ud800"}',
      '{"a":4}',
    ]
    const response = await server.send(
      '/table/create',
      `{"table":{"project_id":"${project_id}","rows":[${rows.join(',')}]}}`,
    )
    const sort_by = [{ field: 'a', direction: 'asc' }]
    const found = await query(project_id, response.json['digest'] as string, { sort_by })
    expect(found.map((row) => row.original_index)).toEqual([3, 2, 1, 0, 4])
  })

  test('a field that is not a valid path is rejected', async () => {
    const project_id = newProject()
    const { digest } = await create(project_id, [{ a: 1 }])
    for (const field of ['', '.x', 'x.', 'a..b']) {
      const sort_by = [{ field, direction: 'asc' }]
      const { status, json } = await server.send('/table/query', { project_id, digest, sort_by })
      expect([field, status, json['detail']]).toMatchObject([
        field,
        422,
        [{ loc: ['body', 'sort_by', 0, 'field'] }],
      ])
    }
    for (const field of ["a'; DROP TABLE table_rows; --", 'é.ü', '"', '$.a']) {
      expect(await query(project_id, digest, { sort_by: [{ field, direction: 'asc' }] })).toHaveLength(1)
    }
  })
})

describe('updating', () => {
  test('append, insert and pop are applied in order', async () => {
    const project_id = newProject()
    const base = await create(project_id, [{ a: 1 }, { a: 2 }])
    const updated = await server.post<{ digest: string; updated_row_digests: string[] }>('/table/update', {
      project_id,
      base_digest: base.digest,
      updates: [
        { append: { row: { a: 3 } } },
        { insert: { index: 0, row: { a: 0 } } },
        { pop: { index: 1 }, append: null },
      ],
    })
    const found = await query(project_id, updated.digest)
    expect(found.map((row) => row.val)).toEqual([{ a: 0 }, { a: 2 }, { a: 3 }])
    expect(updated.updated_row_digests).toEqual([found[2]!.digest, found[0]!.digest, base.row_digests[0]])
    expect(updated.digest).toBe(tableDigest(found.map((row) => row.digest)))
    expect((await query(project_id, base.digest)).map((row) => row.val)).toEqual([{ a: 1 }, { a: 2 }])
  })

  test('an unknown base is a 404, an index out of range a 400, an update without an operation a 422', async () => {
    const project_id = newProject()
    const { digest: base_digest } = await create(project_id, [{ a: 1 }])
    const update = (updates: Json[], base = base_digest) =>
      status('/table/update', { project_id, base_digest: base, updates })
    expect(await update([], 'nope')).toBe(404)
    for (const index of [-1, 1]) expect(await update([{ pop: { index } }])).toBe(400)
    for (const index of [-1, 2]) expect(await update([{ insert: { index, row: {} } }])).toBe(400)
    expect(await update([{}])).toBe(422)
    expect(await update([{ pop: { index: 0 }, append: { row: {} } }])).toBe(422)
    expect(await update([])).toBe(200)
  })
})

test('a table of 100,000 rows is stored, sorted and read completely', { timeout: 180_000 }, async () => {
  const project_id = newProject()
  const rows = Array.from({ length: 100_000 }, (_, i) => ({ i, text: `row ${i % 1000}` }))
  const { digest, row_digests } = await create(project_id, rows)
  const from = await server.post<Created>('/table/create_from_digests', { project_id, row_digests })
  expect(from.digest).toBe(digest)
  const whole = await query(project_id, digest)
  expect(whole).toHaveLength(100_000)
  expect(whole[99_999]).toEqual({ digest: row_digests[99_999], val: rows[99_999], original_index: 99_999 })
  const sort_by = [{ field: 'i', direction: 'desc' }]
  const page = await query(project_id, digest, { sort_by, limit: 3, offset: 1 })
  expect(page.map((row) => row.val['i'])).toEqual([99_998, 99_997, 99_996])
  const requested = row_digests.slice(0, 5_000)
  expect(await query(project_id, digest, { filter: { row_digests: requested } })).toHaveLength(5_000)
  const updates = [{ append: { row: { i: -1 } } }]
  const updated = await server.post<Created>('/table/update', { project_id, base_digest: digest, updates })
  expect(await server.post('/table/query_stats', { project_id, digest: updated.digest })).toEqual({
    count: 100_001,
  })
})

test('tables with the same digest in two projects are independent', async () => {
  const [one, two] = [newProject(), newProject()]
  const { digest, row_digests } = await create(one, [{ secret: 1 }])
  expect(await query(two, digest)).toEqual([])
  expect(await server.post('/table/query_stats', { project_id: two, digest })).toEqual({ count: 0 })
  await server.post('/table/create_from_digests', { project_id: two, row_digests })
  expect(await query(two, digest)).toEqual([])
  expect(await status('/table/update', { project_id: newProject(), base_digest: digest, updates: [] })).toBe(
    404,
  )
})
