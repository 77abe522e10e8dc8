import { expect, test } from 'vitest'
import { projectNames, useServer } from '../harness.ts'

const server = useServer()

const newProject = projectNames('acme/refs')

/** Publishes a value; returns its ref. */
async function publish(project_id: string, object_id: string, val: unknown): Promise<string> {
  const obj = { project_id, object_id, val }
  const { digest } = await server.post<{ digest: string }>('/obj/create', { obj })
  return `weave:///${project_id}/object/${object_id}:${digest}`
}

async function read(refs: readonly string[]): Promise<unknown[]> {
  return (await server.post<{ vals: unknown[] }>('/refs/read_batch', { refs })).vals
}

test('values are returned in the order of the refs, with repeats', async () => {
  const project_id = newProject()
  const a = await publish(project_id, 'a', { n: 1 })
  const b = await publish(project_id, 'b', [1, 2])
  expect(await read([b, a, b, `${a}/attr/n`])).toEqual([[1, 2], { n: 1 }, [1, 2], 1])
  expect(await read([])).toEqual([])
})

test('a path resolves attributes, keys and indexes, and is null if nothing is there', async () => {
  const project_id = newProject()
  const ref = await publish(project_id, 'a', { 'a b/ü': [{ deep: { er: 'x' } }], n: null, s: 'text' })
  expect(
    await read([
      `${ref}/key/${encodeURIComponent('a b/ü')}/index/0/attr/deep/key/er`,
      `${ref}/attr/n`,
      `${ref}/attr/nope/attr/further`,
      `${ref}/attr/s/attr/length`,
      `${ref}/index/0`,
      `${ref}/key/${encodeURIComponent('a b/ü')}/index/-1`,
      `${ref}/attr/__proto__`,
    ]),
  ).toEqual(['x', null, null, null, null, null, null])
})

test('a path continues through refs in values, also to table rows', async () => {
  const project_id = newProject()
  const { digest, row_digests } = await server.post<{ digest: string; row_digests: string[] }>(
    '/table/create',
    {
      table: { project_id, rows: [{ q: 'one' }, { q: { nested: 'two' } }] },
    },
  )
  const inner = await publish(project_id, 'inner', { rows: `weave:///${project_id}/table/${digest}` })
  const outer = await publish(project_id, 'outer', { dataset: inner, list: [inner] })
  const row = `attr/rows/id/${row_digests[1]}`
  expect(
    await read([
      `${outer}/attr/dataset`,
      `${outer}/attr/dataset/${row}`,
      `${outer}/attr/list/index/0/${row}/key/q/key/nested`,
      `${inner}/${row}`,
      `${inner}/attr/rows/id/nope`,
      `${inner}/attr/rows`,
    ]),
  ).toEqual([
    inner,
    { q: { nested: 'two' } },
    'two',
    { q: { nested: 'two' } },
    null,
    `weave:///${project_id}/table/${digest}`,
  ])
})

test('a deleted object is null', async () => {
  const project_id = newProject()
  const ref = await publish(project_id, 'gone', { a: 1 })
  const outer = await publish(project_id, 'outer', { gone: ref })
  await server.post('/obj/delete', { project_id, object_id: 'gone' })
  expect(await read([ref, `${ref}/attr/a`, `${outer}/attr/gone/attr/a`])).toEqual([null, null, null])
})

test('an unknown digest is a 404 that names it', async () => {
  const project_id = newProject()
  const ref = await publish(project_id, 'a', 1)
  const response = await server.send('/refs/read_batch', {
    refs: [ref, `weave:///${project_id}/object/a:nope`],
  })
  expect(response.status).toBe(404)
  expect(response.json['missing_object_digests']).toEqual(['nope'])
})

test('a ref that does not identify an object version is rejected', async () => {
  const project_id = newProject()
  await publish(project_id, 'a', 1)
  for (const ref of [
    `weave:///${project_id}/object/a:latest`,
    `weave:///${project_id}/call/123`,
    `weave:///${project_id}/table/123`,
    `weave:///${project_id}/file/123`,
    `weave:///${project_id}/object/a`,
    `weave:///${project_id}/object/a:x/attr`,
    `weave:///${project_id}/object/a:x/else/y`,
    `weave:///${project_id}/object/a:x/attr/%zz`,
    'weave:///acme/object/a:x',
    'http://example.com',
    '',
  ]) {
    expect([ref, (await server.send('/refs/read_batch', { refs: [ref] })).status]).toEqual([ref, 400])
  }
  const many = Array.from({ length: 1001 }, () => `weave:///${project_id}/object/a:x`)
  expect((await server.send('/refs/read_batch', { refs: many })).status).toBe(400)
})

test('a ref inside a value does not resolve into another project', async () => {
  const [mine, other] = [newProject(), newProject()]
  const secret = await publish(other, 'secret', { a: 1 })
  const bridge = await publish(mine, 'bridge', { to: secret })
  expect(await read([`${bridge}/attr/to`, `${bridge}/attr/to/attr/a`])).toEqual([secret, null])
  const guest = await server.user('guest', { [mine]: 'read' })
  const status = async (refs: string[]) => (await server.as(guest)('/refs/read_batch', { refs })).status
  expect(await status([bridge])).toBe(200)
  expect(await status([bridge, secret])).toBe(403)
})

test('a chain of refs is resolved up to a limit', async () => {
  const project_id = newProject()
  const at = '2026-01-01T00:00:00.000000Z'
  const link = (i: number): string => `weave:///${project_id}/object/link:${i}`
  const vals = Array.from({ length: 70 }, (_, i) => JSON.stringify(i === 0 ? { found: true } : link(i - 1)))
  await server.heddle.deps.db.insert(
    'object_versions',
    vals.map((val, i) => ({
      project_id,
      object_id: 'link',
      digest: `${i}`,
      created_at: at,
      published_at: at,
      val,
    })),
  )
  expect(await read([`${link(50)}/attr/found`, `${link(69)}/attr/found`])).toEqual([true, null])
})
