import type { Api, Doc } from './api.ts'
import { check, checkDecision, once } from './check.ts'
import { hasType, same } from './expect.ts'
import { createObject, deleteObject, versions } from './fixtures.ts'

/** Sections 5 and 6: versions of an object. */
const TITLE = 'versions'

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

check('6.13', TITLE, 'each version has its digest', async (api) =>
  same(column(await fixtureVersions(api), 'digest'), (await versions(api)).digests, 'digests'),
)
check('6.13', TITLE, 'digests of different values differ', async (api) =>
  same(new Set((await versions(api)).digests).size, 3, 'distinct digests'),
)
check('6.11', TITLE, 'version_index counts the versions from 0', async (api) =>
  same(column(await fixtureVersions(api), 'version_index'), [0, 1, 2], 'version_index'),
)
check('6.12', TITLE, 'is_latest is 1 for the last version and 0 for the others', async (api) =>
  same(column(await fixtureVersions(api), 'is_latest'), [0, 0, 1], 'is_latest'),
)
check('6.12', TITLE, 'latest_only lists the version whose is_latest is 1', async (api) => {
  const { object_id, digests } = await versions(api)
  const latest = await listed(api, object_id, true)
  same([column(latest, 'digest'), column(latest, 'is_latest')], [[digests[2]], [1]])
})
for (const n of [0, 1, 2]) {
  check('5.1', TITLE, `object_id and digest read exactly version ${n}`, async (api) => {
    const { object_id, digests, vals } = await versions(api)
    const { obj } = await api.post('/obj/read', { project_id: api.project_id, object_id, digest: digests[n] })
    hasType(obj, 'object', 'obj')
    const { version_index, is_latest, val } = obj as Doc
    same({ version_index, is_latest, val }, { version_index: n, is_latest: n === 2 ? 1 : 0, val: vals[n] })
  })
}
check('6.12', TITLE, 'the only version of an object is the latest', async (api) => {
  const object_id = api.name('only')
  await createObject(api, object_id, { a: 1 })
  const objs = await listed(api, object_id)
  same([column(objs, 'version_index'), column(objs, 'is_latest')], [[0], [1]])
})
check('6.14', TITLE, 'publishing the same value again creates no new version', async (api) => {
  const object_id = api.name('again')
  const first = await createObject(api, object_id, { a: 1 })
  same(await createObject(api, object_id, { a: 1 }), first, 'digest')
  same(column(await listed(api, object_id), 'version_index'), [0], 'version_index')
})
check('6.11', TITLE, 'objects with different names are versioned independently', async (api) => {
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
check(
  '6.13',
  TITLE,
  'publishing an older value again returns its digest, and one version is the latest',
  async (api) => {
    const object_id = api.name('older-again')
    const first = await createObject(api, object_id, { v: 1 })
    await createObject(api, object_id, { v: 2 })
    same(await createObject(api, object_id, { v: 1 }), first, 'digest')
    const latest = (await listed(api, object_id)).filter(({ is_latest }) => is_latest === 1)
    same(latest.length, 1, 'latest versions')
  },
)
checkDecision(
  '6.16',
  TITLE,
  'after the latest version was deleted, the one before it is the latest',
  async (api) => {
    const object_id = api.name('latest-deleted')
    const digests: string[] = []
    for (const n of [0, 1, 2]) digests.push(await createObject(api, object_id, { n }))
    await deleteObject(api, object_id, digests[2] ?? '')
    same(column(await listed(api, object_id), 'is_latest'), [0, 1], 'is_latest')
    const { obj } = await api.post('/obj/read', { project_id: api.project_id, object_id, digest: digests[1] })
    same((obj as Doc)['is_latest'], 1, 'is_latest of obj/read')
  },
)
