import { describe, expect, test } from 'vitest'
import { type TestResponse, useServer } from '../harness.ts'

const server = useServer()
const project_id = 'acme/labels'

async function publish(object_id: string, val: unknown): Promise<string> {
  return (await server.post<{ digest: string }>('/obj/create', { obj: { project_id, object_id, val } }))
    .digest
}

async function put(path: string, body: object): Promise<TestResponse> {
  return server.send(path, { project_id, ...body }, { method: 'PUT' })
}

async function addTags(object_id: string, digest: string, ...tags: string[]): Promise<TestResponse> {
  return put(`/objs/${object_id}/versions/${digest}/tags`, { tags })
}

async function setAliases(object_id: string, digest: string, ...aliases: string[]): Promise<TestResponse> {
  return put(`/objs/${object_id}/aliases`, { digest, aliases })
}

async function readLabels(object_id: string, digest: string): Promise<{ tags: string[]; aliases: string[] }> {
  const { obj } = await server.post<{ obj: { tags: string[]; aliases: string[] } }>('/obj/read', {
    project_id,
    object_id,
    digest,
    include_tags_and_aliases: true,
  })
  return { tags: obj.tags, aliases: obj.aliases }
}

async function list(kind: 'tags' | 'aliases', project = project_id): Promise<string[]> {
  const response = await server.send(`/${kind}?project_id=${encodeURIComponent(project)}`)
  expect([response.status, response.text]).toEqual([200, expect.anything()])
  return response.json[kind] as string[]
}

describe('tags', () => {
  test('belong to a version, are returned with it and can be removed', async () => {
    const first = await publish('tagged', 1)
    const second = await publish('tagged', 2)
    expect((await addTags('tagged', first, 'reviewed', 'good one', 'reviewed')).text).toBe('{}')
    expect(await readLabels('tagged', first)).toEqual({ tags: ['good one', 'reviewed'], aliases: [] })
    expect(await readLabels('tagged', second)).toEqual({ tags: [], aliases: ['latest'] })
    await addTags('tagged', second, 'reviewed')
    const path = `/objs/tagged/versions/${first}/tags/remove`
    expect(await server.post(path, { project_id, tags: ['reviewed', 'never'] })).toEqual({})
    expect(await readLabels('tagged', first)).toEqual({ tags: ['good one'], aliases: [] })
    expect(await readLabels('tagged', second)).toEqual({ tags: ['reviewed'], aliases: ['latest'] })
    await addTags('tagged', first, 'reviewed')
    expect((await readLabels('tagged', first)).tags).toEqual(['good one', 'reviewed'])
  })

  test('select versions in a query', async () => {
    const digest = await publish('found', { a: 1 })
    await publish('found', { a: 2 })
    await addTags('found', 'v0', 'wanted')
    const { objs } = await server.post<{ objs: { digest: string; tags: string[] }[] }>('/objs/query', {
      project_id,
      filter: { tags: ['wanted'] },
      include_tags_and_aliases: true,
    })
    expect(objs).toMatchObject([{ digest, tags: ['wanted'] }])
  })

  test.each(['', 'a  b', ' a', 'a ', 'a/b', 'a:b', 'a,b', 'x'.repeat(257), 'a\n'])(
    'the tag %j is rejected',
    async (tag) => {
      const digest = await publish('rejected', 1)
      expect((await addTags('rejected', digest, 'fine', tag)).status).toBe(400)
      expect((await readLabels('rejected', digest)).tags).toEqual([])
    },
  )

  test('letters of any script, dashes, underscores and single spaces are accepted', async () => {
    const digest = await publish('fine', 1)
    const tags = ['Ünïcode 好', 'a-b_c 1', 'x'.repeat(256)]
    expect((await addTags('fine', digest, ...tags)).status).toBe(200)
    expect((await readLabels('fine', digest)).tags).toEqual([...tags].sort())
  })
})

describe('aliases', () => {
  test('point to one version of the object and can be moved', async () => {
    const first = await publish('aliased', 1)
    const second = await publish('aliased', 2)
    expect((await setAliases('aliased', first, 'prod', 'staging')).text).toBe('{}')
    expect(await readLabels('aliased', 'prod')).toEqual({ tags: [], aliases: ['prod', 'staging'] })
    await setAliases('aliased', second, 'prod')
    expect(await readLabels('aliased', first)).toEqual({ tags: [], aliases: ['staging'] })
    expect(await readLabels('aliased', second)).toEqual({ tags: [], aliases: ['prod', 'latest'] })
    await server.post('/objs/aliased/aliases/remove', { project_id, aliases: ['prod', 'never'] })
    const gone = await server.send('/obj/read', { project_id, object_id: 'aliased', digest: 'prod' })
    expect(gone.status).toBe(404)
    expect((await readLabels('aliased', second)).aliases).toEqual(['latest'])
    await setAliases('aliased', first, 'prod')
    expect((await readLabels('aliased', 'prod')).aliases).toEqual(['prod', 'staging'])
  })

  test('with the same name are independent on two objects', async () => {
    await publish('left', 1)
    await publish('right', 2)
    await setAliases('left', 'latest', 'shared')
    await setAliases('right', 'latest', 'shared')
    await server.post('/objs/left/aliases/remove', { project_id, aliases: ['shared'] })
    expect((await readLabels('right', 'shared')).aliases).toEqual(['shared', 'latest'])
  })

  test.each(['', ' ', 'a/b', 'a:b', 'latest', 'v0', 'v123', 'x'.repeat(129)])(
    'the alias %j is rejected',
    async (alias) => {
      const digest = await publish('rejected', 1)
      expect((await setAliases('rejected', digest, alias)).status).toBe(400)
      expect((await readLabels('rejected', digest)).aliases).toEqual(['latest'])
    },
  )
})

describe('labels and versions', () => {
  test('an unknown or deleted version cannot be labelled', async () => {
    const digest = await publish('gone', 1)
    await server.post('/obj/delete', { project_id, object_id: 'gone' })
    for (const [name, version] of [
      ['gone', digest],
      ['nothing', digest],
      ['gone', 'latest'],
    ] as const) {
      expect((await addTags(name, version, 'tag')).status).toBe(404)
      expect((await setAliases(name, version, 'alias')).status).toBe(404)
      const removed = await server.send(`/objs/${name}/versions/${version}/tags/remove`, {
        project_id,
        tags: ['tag'],
      })
      expect(removed.status).toBe(200)
    }
  })

  test('a deletion removes labels permanently; new ones can be set afterwards', async () => {
    const digest = await publish('reborn', 1)
    await addTags('reborn', digest, 'old-tag')
    await setAliases('reborn', digest, 'old-alias')
    await server.post('/obj/delete', { project_id, object_id: 'reborn', digests: [digest] })
    await publish('reborn', 1)
    expect(await readLabels('reborn', digest)).toEqual({ tags: [], aliases: ['latest'] })
    await addTags('reborn', digest, 'old-tag')
    expect((await readLabels('reborn', digest)).tags).toEqual(['old-tag'])
  })

  test('the lists of a project have each name once, sorted, without those of other projects', async () => {
    const other = 'acme/lists'
    expect([await list('tags', other), await list('aliases', other)]).toEqual([[], []])
    for (const object_id of ['one', 'two']) {
      await server.post('/obj/create', { obj: { project_id: other, object_id, val: 1 } })
      const tags = { project_id: other, tags: ['b', 'a'] }
      await server.send(`/traces/objs/${object_id}/versions/latest/tags`, tags, { method: 'PUT' })
      const aliases = { project_id: other, digest: 'latest', aliases: ['prod'] }
      await server.send(`/traces/objs/${object_id}/aliases`, aliases, { method: 'PUT' })
    }
    expect([await list('tags', other), await list('aliases', other)]).toEqual([
      ['a', 'b'],
      ['latest', 'prod'],
    ])
    await server.post('/obj/delete', { project_id: other, object_id: 'one' })
    await server.post('/obj/delete', { project_id: other, object_id: 'two' })
    expect([await list('tags', other), await list('aliases', other)]).toEqual([[], []])
  })
})
