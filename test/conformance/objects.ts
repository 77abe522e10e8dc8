import type { Api, Doc } from './api.ts'
import { once, row } from './check.ts'
import { absent, EXACT, EXACT_JSON, exactNumber, fail, hasType, recent, same, sameMembers } from './expect.ts'
import { createObject, deleteObject, objects, versions } from './fixtures.ts'

/** Sections 2.2, 4.2 and 4.7: object versions. */
const query = async (api: Api, fields: Doc): Promise<Doc[]> => {
  const { objs } = await api.post('/objs/query', { project_id: api.project_id, ...fields })
  hasType(objs, 'array', 'objs')
  return objs as Doc[]
}
const read = async (api: Api, object_id: string, digest: unknown): Promise<Doc> => {
  const { obj } = await api.post('/obj/read', { project_id: api.project_id, object_id, digest })
  hasType(obj, 'object', 'obj')
  return obj as Doc
}

/** The middle one of three versions, by each operation that returns it. */
const WAYS: Readonly<Record<string, (api: Api) => Promise<Doc>>> = {
  'obj/read': once(async (api) => {
    const { object_id, digests } = await versions(api)
    return read(api, object_id, digests[1])
  }),
  'objs/query': once(async (api) => {
    const { object_id, digests } = await versions(api)
    const found = (await query(api, { filter: { object_ids: [object_id] } })).filter(
      ({ digest }) => digest === digests[1],
    )
    same(found.length, 1, 'objects with the digest')
    return found[0] ?? {}
  }),
}
for (const [way, get] of Object.entries(WAYS)) {
  const title = `2.2 object version from ${way}`
  row(title, 'project_id is the project', async (api) => same((await get(api))['project_id'], api.project_id))
  row(title, 'object_id is the name it was published under', async (api) =>
    same((await get(api))['object_id'], (await versions(api)).object_id),
  )
  row(title, 'created_at is a datetime', async (api) => recent((await get(api))['created_at'], 'created_at'))
  row(title, 'deleted_at is present only if deleted', async (api) => {
    const obj = await get(api)
    if (api.own) same('deleted_at' in obj, false, 'presence of deleted_at')
    absent(obj['deleted_at'], 'deleted_at')
  })
  row(title, 'digest is the one it was published with', async (api) =>
    same((await get(api))['digest'], (await versions(api)).digests[1]),
  )
  row(title, 'version_index is an integer', async (api) => same((await get(api))['version_index'], 1))
  row(title, 'is_latest is an integer', async (api) => same((await get(api))['is_latest'], 0))
  row(title, 'kind is a string', async (api) => same((await get(api))['kind'], 'object'))
  row(title, 'base_object_class is a string, or null for a value without a class', async (api) => {
    const { base_object_class } = await get(api)
    if (base_object_class !== null) hasType(base_object_class, 'string', 'base_object_class')
  })
  row(title, 'val is the value that was published', async (api) =>
    same((await get(api))['val'], (await versions(api)).vals[1], 'val'),
  )
}

row('2.2 object version', 'base_object_class names the class of a value that has one', async (api) => {
  const object_id = api.name('class')
  const val = { _type: 'Thing', _class_name: 'Thing', _bases: ['Object', 'BaseModel'], a: 1 }
  const obj = await read(api, object_id, await createObject(api, object_id, val))
  if (api.own || obj['base_object_class'] !== null)
    same(obj['base_object_class'], 'Thing', 'base_object_class')
})
for (const [kind, val] of Object.entries({
  'a text': 'text',
  'a number': 1.5,
  true: true,
  'a list': [1, 'two', null, { three: [] }],
  'an object with odd keys': { 'a.b': 1, 'ü "q" \\ 👍': { '': null } },
})) {
  row('2.2 object version', `val is any JSON value: ${kind}`, async (api) => {
    const object_id = api.name(`val-${kind.replaceAll(' ', '-')}`)
    same((await read(api, object_id, await createObject(api, object_id, val)))['val'], val, 'val')
  })
}
const exact = once(async (api) => {
  const object_id = api.name('exact')
  const { project_id } = api
  const obj = JSON.stringify({ project_id, object_id, val: null }).replace(
    '"val":null',
    `"val":${EXACT_JSON}`,
  )
  // The fixture proves that obj/create is there; the numbers need a body as text.
  await versions(api)
  const { digest } = await api.post('/obj/create', `{"obj":${obj}}`)
  return (await api.send('/obj/read', { project_id, object_id, digest })).text
})
for (const key of Object.keys(EXACT) as (keyof typeof EXACT)[]) {
  row('2.2 object version', `val keeps the number ${EXACT[key]}`, async (api) =>
    exactNumber(await exact(api), key, api.own),
  )
}

row('4.7 obj/read', 'a digest that does not exist is not found', async (api) => {
  const { object_id } = await versions(api)
  const { status } = await api.send('/obj/read', {
    project_id: api.project_id,
    object_id,
    digest: 'A'.repeat(43),
  })
  same(status, 404, 'status')
})
row('4.7 obj/read', 'an object that does not exist is not found', async (api) => {
  const { digests } = await versions(api)
  const body = { project_id: api.project_id, object_id: api.name('nothing'), digest: digests[0] }
  same((await api.send('/obj/read', body)).status, 404, 'status')
})
row('4.7 obj/read', 'a version that is deleted is not found, or has deleted_at', async (api) => {
  const object_id = api.name('deleted')
  const digest = await createObject(api, object_id, { gone: true })
  await deleteObject(api, object_id, digest)
  const { status, text } = await api.send('/obj/read', { project_id: api.project_id, object_id, digest })
  if (status === 200) recent((JSON.parse(text) as { obj: Doc }).obj['deleted_at'], 'deleted_at')
  else same(status, 404, 'status')
})

row('4.2 objs/query', 'a version that is deleted is not listed, or has deleted_at', async (api) => {
  const object_id = api.name('deleted-listed')
  await deleteObject(api, object_id, await createObject(api, object_id, { gone: true }))
  for (const obj of await query(api, { filter: { object_ids: [object_id] } }))
    recent(obj['deleted_at'], 'deleted_at')
})

const indexes = async (api: Api, filter: Doc): Promise<unknown[]> =>
  (await query(api, { filter: { object_ids: [(await versions(api)).object_id], ...filter } })).map(
    ({ version_index }) => version_index,
  )
row('4.2 objs/query', 'filter latest_only true lists latest versions only', async (api) =>
  sameMembers(await indexes(api, { latest_only: true }), [2], 'version_index'),
)
for (const [name, filter] of Object.entries({
  false: { latest_only: false },
  null: { latest_only: null },
  omitted: {},
})) {
  row('4.2 objs/query', `filter latest_only ${name} lists every version`, async (api) =>
    sameMembers(await indexes(api, filter), [0, 1, 2], 'version_index'),
  )
}
row('4.2 objs/query', 'filter latest_only is a boolean', async (api) =>
  api.refuses('/objs/query', { project_id: api.project_id, filter: { latest_only: 'perhaps' } }),
)

const names = async (api: Api, fields: Doc): Promise<unknown[]> =>
  (await query(api, fields)).map(({ object_id }) => object_id)
row('4.2 objs/query', 'filter object_ids with one name lists it', async (api) => {
  const [first = ''] = await objects(api)
  same(await names(api, { filter: { object_ids: [first] } }), [first])
})
row('4.2 objs/query', 'filter object_ids with several names lists each', async (api) => {
  const some = (await objects(api)).slice(2, 5)
  sameMembers(await names(api, { filter: { object_ids: some } }), some)
})
row('4.2 objs/query', 'filter object_ids with an unknown name lists nothing', async (api) =>
  same(await names(api, { filter: { object_ids: [api.name('nothing')] } }), []),
)
row('4.2 objs/query', 'filter object_ids is an array of string', async (api) => {
  await api.refuses('/objs/query', { project_id: api.project_id, filter: { object_ids: 'a text' } })
  await api.refuses('/objs/query', { project_id: api.project_id, filter: { object_ids: [{}] } })
})
row('4.2 objs/query', 'filter latest_only and object_ids hold together', async (api) => {
  const { object_id } = await versions(api)
  const [other = ''] = await objects(api)
  const found = await query(api, { filter: { latest_only: true, object_ids: [object_id, other] } })
  const latest = found.map((obj) => [obj['object_id'], obj['is_latest']])
  sameMembers(latest, [
    [other, 1],
    [object_id, 1],
  ])
})
row('4.2 objs/query', 'without a filter the objects of the project are listed', async (api) => {
  const all = new Set(await names(api, { metadata_only: true, filter: null }))
  same(
    (await objects(api)).filter((object_id) => !all.has(object_id)),
    [],
    'objects that are missing',
  )
})

for (const field of ['object_id', 'created_at']) {
  for (const direction of ['asc', 'desc']) {
    row('4.2 objs/query', `sort_by ${field} ${direction}`, async (api) => {
      const object_ids = await objects(api)
      const sorted = await names(api, { filter: { object_ids }, sort_by: [{ field, direction }] })
      same(sorted, direction === 'asc' ? object_ids : object_ids.toReversed())
    })
  }
}
row('4.2 objs/query', 'sort_by several fields, the first one first', async (api) => {
  const [first = ''] = await objects(api)
  const { object_id } = await versions(api)
  const sort_by = [
    { field: 'object_id', direction: 'desc' },
    { field: 'created_at', direction: 'desc' },
  ]
  const found = await query(api, { filter: { object_ids: [first, object_id] }, sort_by })
  same(
    found.map((obj) => [obj['object_id'], obj['version_index']]),
    [
      [object_id, 2],
      [object_id, 1],
      [object_id, 0],
      [first, 0],
    ],
  )
})
row('4.2 objs/query', 'sort_by has no direction but asc and desc', async (api) =>
  api.refuses('/objs/query', {
    project_id: api.project_id,
    sort_by: [{ field: 'object_id', direction: 'up' }],
  }),
)
row(
  '4.2 objs/query',
  'sort_by has no field but object_id and created_at: others are refused or change nothing',
  async (api) => {
    const filter = { object_ids: await objects(api) }
    const body = { project_id: api.project_id, filter, sort_by: [{ field: 'digest', direction: 'asc' }] }
    const { status } = await api.send('/objs/query', body)
    if (![400, 422].includes(status))
      same((await query(api, body)).length, filter.object_ids.length, 'objects')
  },
)

const plain = once(async (api) => query(api, { filter: { object_ids: [(await versions(api)).object_id] } }))
const bare = once(async (api) =>
  query(api, { filter: { object_ids: [(await versions(api)).object_id] }, metadata_only: true }),
)
row('4.2 objs/query', 'metadata_only true leaves val empty', async (api) => {
  const found = await bare(api)
  same(found.length, 3, 'versions')
  for (const { val } of found) {
    const empty = val === undefined || val === null || val === '' || JSON.stringify(val) === '{}'
    if (!empty) fail('val', 'empty', val)
  }
})
row('4.2 objs/query', 'metadata_only true returns all other fields', async (api) => {
  const without = (objs: Doc[]): Doc[] => objs.map((obj) => ({ ...obj, val: null }))
  const found = without(await bare(api))
  same(found.length, 3, 'versions')
  sameMembers(found, without(await plain(api)), 'objs')
})
for (const metadata_only of [false, null]) {
  row('4.2 objs/query', `metadata_only ${metadata_only} is the default: val is there`, async (api) => {
    const { object_id, vals } = await versions(api)
    const found = await query(api, { filter: { object_ids: [object_id] }, metadata_only })
    same(found, await plain(api), 'objs')
    same(found.length, vals.length, 'length')
  })
}
