import type { Api, Doc } from './api.ts'
import { once, check, checkDecision } from './check.ts'
import { EXACT, EXACT_JSON, exactNumber, hasType, same } from './expect.ts'
import { createTable, SIZE, table } from './fixtures.ts'

/** Section 7: tables and their rows. */
const TITLE = 'table/query'

const query = async (api: Api, digest: string, fields: Doc = {}): Promise<Doc[]> => {
  const { rows } = await api.post('/table/query', { project_id: api.project_id, digest, ...fields })
  hasType(rows, 'array', 'rows')
  return rows as Doc[]
}
const vals = async (api: Api, fields: Doc = {}): Promise<unknown[]> =>
  (await query(api, (await table(api)).digest, fields)).map(({ val }) => val)

const filtered = async (api: Api, row_digests: unknown): Promise<unknown[]> =>
  vals(api, { filter: { row_digests } })

check('7.13', 'table row', 'digest is the string that table/create returned', async (api) => {
  const { digest, row_digests } = await table(api)
  same(
    (await query(api, digest)).map((found) => found['digest']),
    row_digests,
    'digests',
  )
  for (const each of row_digests) hasType(each, 'string', 'digest')
})
check('7.14', 'table row', 'val is the stored value', async (api) =>
  same(await vals(api), (await table(api)).vals),
)
check('7.13', 'table row', 'equal rows have equal digests, different rows different ones', async (api) => {
  const { row_digests } = await createTable(api, [{ a: 1 }, { a: 2 }, { a: 1 }])
  same([row_digests[0] === row_digests[2], row_digests[0] === row_digests[1]], [true, false])
})
check('7.14', 'table row', 'val may be any JSON value', async (api) => {
  const rows = [
    { text: 'ü 👍 "', none: null, yes: true, list: [1, [], {}], nested: { 'a.b': { '': 0.5 } } },
    {},
  ]
  same(
    (await query(api, (await createTable(api, rows)).digest)).map(({ val }) => val),
    rows,
  )
})
const exact = once(async (api) => {
  const { digest } = await createTable(api, `[${EXACT_JSON}]`)
  return (await api.send('/table/query', { project_id: api.project_id, digest })).text
})
for (const key of Object.keys(EXACT) as (keyof typeof EXACT)[]) {
  check('7.15', 'table row', `val keeps the number ${EXACT[key]}`, async (api) =>
    exactNumber(await exact(api), key, api.isHeddle),
  )
}

check('7.1', TITLE, 'without sort_by the order is insertion order', async (api) => {
  const rows = [5, 3, 9, 1, 7, 2].map((n) => ({ n, run: api.run }))
  same(
    (await query(api, (await createTable(api, rows)).digest)).map(({ val }) => val),
    rows,
  )
})
check('7.1', TITLE, 'sort_by null is insertion order too', async (api) =>
  same(await vals(api, { sort_by: null }), (await table(api)).vals),
)
check('7.1', TITLE, 'a row stored twice appears twice, each at its position', async (api) => {
  const rows = [{ n: 1 }, { n: 2 }, { n: 1 }, { n: 1 }]
  same(
    (await query(api, (await createTable(api, rows)).digest)).map(({ val }) => val),
    rows,
  )
})
check('14.1', TITLE, 'without limit every row is returned', async (api) => {
  const rows = Array.from({ length: 1500 }, (_, n) => ({ n }))
  same(
    (await query(api, (await createTable(api, rows)).digest)).map(({ val }) => val),
    rows,
  )
})
check('7.2', TITLE, 'a table has only its own rows', async (api) => {
  const [a, b] = [await createTable(api, [{ a: api.run }]), await createTable(api, [{ b: api.run }])]
  same(
    (await query(api, b.digest)).map(({ val }) => val),
    [{ b: api.run }],
  )
  same(a.digest === b.digest, false, 'equal digests')
})
check('7.3', TITLE, 'an unknown table has no rows, or is not found', async (api) => {
  const { status, text } = await api.send('/table/query', {
    project_id: api.project_id,
    digest: '0'.repeat(64),
  })
  if (status === 200) same(JSON.parse(text), { rows: [] })
  else same(status, 404, 'status')
})

check('7.4', TITLE, 'filter row_digests with one digest', async (api) => {
  const { row_digests, vals } = await table(api)
  same(await filtered(api, [row_digests[3]]), [vals[3]])
})
check('7.4', TITLE, 'filter row_digests with several digests keeps insertion order', async (api) => {
  const { row_digests, vals } = await table(api)
  same(await filtered(api, [row_digests[4], row_digests[1]]), [vals[1], vals[4]])
})
check('7.4', TITLE, 'filter row_digests with an unknown digest', async (api) =>
  same(await filtered(api, ['A'.repeat(43)]), []),
)
check('7.5', TITLE, 'filter row_digests null and filter {} return every row', async (api) => {
  const { vals: all } = await table(api)
  same(await filtered(api, null), all)
  same(await vals(api, { filter: {} }), all)
})
check('7.6', TITLE, 'filter row_digests must be an array of strings', async (api) => {
  const { digest } = await table(api)
  for (const row_digests of ['a text', 1, {}, [{}], [1]])
    await api.rejects('/table/query', { project_id: api.project_id, digest, filter: { row_digests } })
})

/** In insertion order `n` and `label` ascend and `meta.rank` descends. */
for (const [field, order, isInsertionOrder] of [
  ['n', 'asc', true],
  ['n', 'desc', false],
  ['label', 'asc', true],
  ['label', 'desc', false],
  ['meta.rank', 'asc', false],
  ['meta.rank', 'desc', true],
] as const) {
  check('7.7', TITLE, `sort_by {field: ${field}, order: ${order}}`, async (api) => {
    const all = (await table(api)).vals
    same(await vals(api, { sort_by: [{ field, order }] }), isInsertionOrder ? all : all.toReversed())
  })
}
check('7.8', TITLE, 'sort_by compares numbers as numbers', async (api) => {
  const { digest } = await createTable(
    api,
    [10, 9, 100, 1.5].map((n) => ({ n })),
  )
  const sorted = await query(api, digest, { sort_by: [{ field: 'n', order: 'asc' }] })
  same(
    sorted.map(({ val }) => (val as { n: number }).n),
    [1.5, 9, 10, 100],
  )
})
check('14.9', TITLE, 'sort_by several fields: the first takes precedence', async (api) => {
  const { digest } = await createTable(
    api,
    [
      [1, 'b'],
      [2, 'a'],
      [1, 'a'],
      [2, 'b'],
    ].map(([n, s]) => ({ n, s })),
  )
  const sort_by = [
    { field: 'n', order: 'desc' },
    { field: 's', order: 'asc' },
  ]
  const sorted = (await query(api, digest, { sort_by })).map(({ val }) => Object.values(val as Doc).join(''))
  same(sorted, ['2a', '2b', '1a', '1b'])
})
for (const order of ['asc', 'desc']) {
  check('7.10', TITLE, `sort_by a field that no row has, ${order}, returns every row`, async (api) => {
    const found = await vals(api, { sort_by: [{ field: 'nothing.here', order }] })
    if (api.isHeddle) same(found, (await table(api)).vals, 'rows in insertion order')
    same(found.length, SIZE, 'rows')
  })
}
checkDecision('7.9', TITLE, 'sort_by tells large integers apart', async (api) => {
  const sorted = ['-1', '2.5', '9007199254740992', '9007199254740993', '1e300']
  const { digest } = await createTable(
    api,
    `[${sorted
      .toReversed()
      .map((n) => `{"n":${n}}`)
      .join(',')}]`,
  )
  const { text } = await api.send('/table/query', {
    project_id: api.project_id,
    digest,
    sort_by: [{ field: 'n', order: 'asc' }],
  })
  same(
    [...text.matchAll(/"n":([^}]*)/g)].map(([, n]) => n),
    sorted,
    'numbers',
  )
})
check('7.2', TITLE, 'an empty table has no rows', async (api) =>
  same(await query(api, (await createTable(api, [])).digest), []),
)
check('7.11', TITLE, 'filter, sort_by, limit and offset together', async (api) => {
  const { row_digests, vals: all } = await table(api)
  const filter = { row_digests: row_digests.slice(0, 5) }
  const sort_by = [{ field: 'meta.rank', order: 'asc' }]
  same(await vals(api, { filter, sort_by, limit: 2, offset: 1 }), [all[3], all[2]])
})
for (const bad of ['x', 1, []]) {
  check('7.6', TITLE, `filter ${JSON.stringify(bad)} is rejected`, async (api) => {
    const { digest } = await table(api)
    await api.rejects('/table/query', { project_id: api.project_id, digest, filter: bad })
  })
}
for (const field of ['project_id', 'digest']) {
  for (const bad of [undefined, null, 1, []]) {
    check(
      '7.12',
      TITLE,
      `${field} ${JSON.stringify(bad) ?? 'omitted'} is rejected, naming it`,
      async (api) => {
        const { digest } = await table(api)
        await api.rejectsNaming(field, '/table/query', { project_id: api.project_id, digest, [field]: bad })
      },
    )
  }
}
check('7.11', TITLE, 'limit and offset apply to the sorted rows', async (api) => {
  const all = (await table(api)).vals
  const sort_by = [{ field: 'meta.rank', order: 'asc' }]
  same(await vals(api, { sort_by, limit: 2, offset: 1 }), all.toReversed().slice(1, 3))
})
check('14.7', TITLE, 'sort_by with an order other than asc and desc is rejected', async (api) => {
  const { digest } = await table(api)
  await api.rejects('/table/query', {
    project_id: api.project_id,
    digest,
    sort_by: [{ field: 'n', order: 'up' }],
  })
})
check('7.11', TITLE, 'limit and offset apply to the filtered rows', async (api) => {
  const { row_digests, vals: all } = await table(api)
  const filter = { row_digests: row_digests.slice(1, 6) }
  same(await vals(api, { filter, limit: 2, offset: 1 }), all.slice(2, 4))
})

/** Two requests of rows, and more than a page of any size. */
const largeTable = once(async (api) => {
  const all = Array.from({ length: 3000 }, (_, n) => ({ n, run: api.run }))
  return { all, digest: (await createTable(api, all)).digest }
})
check('14.4', TITLE, 'pages of a large table are the table', async (api) => {
  const { all, digest } = await largeTable(api)
  const pages: unknown[] = []
  for (let offset = 0; offset < all.length; offset += 700)
    pages.push(...(await query(api, digest, { limit: 700, offset })).map(({ val }) => val))
  same(pages, all, 'rows')
})
check('7.11', TITLE, 'limit and offset apply to the sorted rows of a large table', async (api) => {
  const { all, digest } = await largeTable(api)
  const sort_by = [{ field: 'n', order: 'desc' }]
  const found = (await query(api, digest, { sort_by, limit: 3, offset: 10 })).map(({ val }) => val)
  same(found, all.toReversed().slice(10, 13), 'rows')
})
check('7.10', TITLE, 'sort_by a path that some rows lack or have as null returns every row', async (api) => {
  const rows = [
    { n: { a: 3 } },
    { n: { a: 1 } },
    { n: { a: null } },
    { n: 7 },
    { other: 'none' },
    { n: { a: 2 } },
  ]
  const { digest } = await createTable(api, rows)
  for (const order of ['asc', 'desc']) {
    const found = (await query(api, digest, { sort_by: [{ field: 'n.a', order }] })).map(
      ({ val }) => val as Doc,
    )
    const numbers = found.map(({ n }) => (n as Doc | undefined)?.['a']).filter((a) => typeof a === 'number')
    same([found.length, numbers], [rows.length, order === 'asc' ? [1, 2, 3] : [3, 2, 1]], 'rows')
  }
})
