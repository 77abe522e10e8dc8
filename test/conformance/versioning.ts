import type { Api, Doc } from './api.ts'
import { once, check } from './check.ts'
import { hasType, same } from './expect.ts'
import { createObject, versions } from './fixtures.ts'

/** Section 9: versions of an object. */
const TITLE = '9 versions'

const listed = async (api: Api, object_id: string, latest_only = false): Promise<Doc[]> => {
  const body = {
    project_id: api.project_id,
    filter: { object_ids: [object_id], latest_only },
    sort_by: [{ field: 'created_at', direction: 'asc' }],
  }
  return (await api.post('/objs/query', body))['objs'] as Doc[]
}
const fixtureVersions = once(async (api) => listed(api, (await versions(api)).object_id))
const column = (objs: Doc[], field: string): unknown[] => objs.map((obj) => obj[field])

check(TITLE, 'each version has its digest', async (api) =>
  same(column(await fixtureVersions(api), 'digest'), (await versions(api)).digests, 'digests'),
)
check(TITLE, 'digests of different values differ', async (api) =>
  same(new Set((await versions(api)).digests).size, 3, 'distinct digests'),
)
check(TITLE, 'version_index counts the versions from 0', async (api) =>
  same(column(await fixtureVersions(api), 'version_index'), [0, 1, 2], 'version_index'),
)
check(TITLE, 'is_latest is 1 for the last version and 0 for the others', async (api) =>
  same(column(await fixtureVersions(api), 'is_latest'), [0, 0, 1], 'is_latest'),
)
check(TITLE, 'latest_only lists the version whose is_latest is 1', async (api) => {
  const { object_id, digests } = await versions(api)
  const latest = await listed(api, object_id, true)
  same([column(latest, 'digest'), column(latest, 'is_latest')], [[digests[2]], [1]])
})
for (const n of [0, 1, 2]) {
  check(TITLE, `object_id and digest read exactly version ${n}`, async (api) => {
    const { object_id, digests, vals } = await versions(api)
    const { obj } = await api.post('/obj/read', { project_id: api.project_id, object_id, digest: digests[n] })
    hasType(obj, 'object', 'obj')
    const { version_index, is_latest, val } = obj as Doc
    same({ version_index, is_latest, val }, { version_index: n, is_latest: n === 2 ? 1 : 0, val: vals[n] })
  })
}
check(TITLE, 'the only version of an object is the latest', async (api) => {
  const object_id = api.name('only')
  await createObject(api, object_id, { a: 1 })
  const objs = await listed(api, object_id)
  same([column(objs, 'version_index'), column(objs, 'is_latest')], [[0], [1]])
})
check(TITLE, 'publishing the same value again creates no new version', async (api) => {
  const object_id = api.name('again')
  const first = await createObject(api, object_id, { a: 1 })
  same(await createObject(api, object_id, { a: 1 }), first, 'digest')
  same(column(await listed(api, object_id), 'version_index'), [0], 'version_index')
})
check(TITLE, 'objects with different names are versioned independently', async (api) => {
  const [a, b] = [api.name('apart-a'), api.name('apart-b')]
  for (const [object_id, n] of [
    [a, 1],
    [b, 1],
    [a, 2],
  ] as const)
    await createObject(api, object_id, { n })
  same(
    [column(await listed(api, a), 'version_index'), column(await listed(api, b), 'version_index')],
    [[0, 1], [0]],
  )
})
