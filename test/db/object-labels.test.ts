import { describe, expect, test } from 'vitest'
import { type Answer, useServer } from '../harness.ts'

const server = useServer()
const project_id = 'acme/labels'

async function publish(object_id: string, val: unknown): Promise<string> {
  return (await server.post<{ digest: string }>('/obj/create', { obj: { project_id, object_id, val } }))
    .digest
}

async function put(path: string, body: object): Promise<Answer> {
  return server.send(path, { project_id, ...body }, { method: 'PUT' })
}

async function addTags(object_id: string, digest: string, ...tags: string[]): Promise<Answer> {
  return put(`/objs/${object_id}/versions/${digest}/tags`, { tags })
}

async function setAliases(object_id: string, digest: string, ...aliases: string[]): Promise<Answer> {
  return put(`/objs/${object_id}/aliases`, { digest, aliases })
}

async function labelsOf(object_id: string, digest: string): Promise<{ tags: string[]; aliases: string[] }> {
  const { obj } = await server.post<{ obj: { tags: string[]; aliases: string[] } }>('/obj/read', {
    project_id,
    object_id,
    digest,
    include_tags_and_aliases: true,
  })
  return { tags: obj.tags, aliases: obj.aliases }
}

async function list(what: 'tags' | 'aliases', project = project_id): Promise<string[]> {
  const answer = await server.send(`/${what}?project_id=${encodeURIComponent(project)}`)
  expect([answer.status, answer.text]).toEqual([200, expect.anything()])
  return answer.json[what] as string[]
}

describe('tags', () => {
  test('belong to a version, are shown with it and can be taken off', async () => {
    const first = await publish('tagged', 1)
    const second = await publish('tagged', 2)
    expect((await addTags('tagged', first, 'reviewed', 'good one', 'reviewed')).text).toBe('{}')
    expect(await labelsOf('tagged', first)).toEqual({ tags: ['good one', 'reviewed'], aliases: [] })
    expect(await labelsOf('tagged', second)).toEqual({ tags: [], aliases: ['latest'] })
    await addTags('tagged', second, 'reviewed')
    const path = `/objs/tagged/versions/${first}/tags/remove`
    expect(await server.post(path, { project_id, tags: ['reviewed', 'never'] })).toEqual({})
    expect(await labelsOf('tagged', first)).toEqual({ tags: ['good one'], aliases: [] })
    expect(await labelsOf('tagged', second)).toEqual({ tags: ['reviewed'], aliases: ['latest'] })
    await addTags('tagged', first, 'reviewed')
    expect((await labelsOf('tagged', first)).tags).toEqual(['good one', 'reviewed'])
  })

  test('find versions in a query', async () => {
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
    'a tag such as %j is refused',
    async (tag) => {
      const digest = await publish('refused', 1)
      expect((await addTags('refused', digest, 'fine', tag)).status).toBe(400)
      expect((await labelsOf('refused', digest)).tags).toEqual([])
    },
  )

  test('any script, dashes, underscores and single spaces are fine', async () => {
    const digest = await publish('fine', 1)
    const tags = ['Ünïcode 好', 'a-b_c 1', 'x'.repeat(256)]
    expect((await addTags('fine', digest, ...tags)).status).toBe(200)
    expect((await labelsOf('fine', digest)).tags).toEqual([...tags].sort())
  })
})

describe('aliases', () => {
  test('point at one version of the object and move', async () => {
    const first = await publish('aliased', 1)
    const second = await publish('aliased', 2)
    expect((await setAliases('aliased', first, 'prod', 'staging')).text).toBe('{}')
    expect(await labelsOf('aliased', 'prod')).toEqual({ tags: [], aliases: ['prod', 'staging'] })
    await setAliases('aliased', second, 'prod')
    expect(await labelsOf('aliased', first)).toEqual({ tags: [], aliases: ['staging'] })
    expect(await labelsOf('aliased', second)).toEqual({ tags: [], aliases: ['prod', 'latest'] })
    await server.post('/objs/aliased/aliases/remove', { project_id, aliases: ['prod', 'never'] })
    const gone = await server.send('/obj/read', { project_id, object_id: 'aliased', digest: 'prod' })
    expect(gone.status).toBe(404)
    expect((await labelsOf('aliased', second)).aliases).toEqual(['latest'])
    await setAliases('aliased', first, 'prod')
    expect((await labelsOf('aliased', 'prod')).aliases).toEqual(['prod', 'staging'])
  })

  test('of one name live apart on two objects', async () => {
    await publish('left', 1)
    await publish('right', 2)
    await setAliases('left', 'latest', 'shared')
    await setAliases('right', 'latest', 'shared')
    await server.post('/objs/left/aliases/remove', { project_id, aliases: ['shared'] })
    expect((await labelsOf('right', 'shared')).aliases).toEqual(['shared', 'latest'])
  })

  test.each(['', ' ', 'a/b', 'a:b', 'latest', 'v0', 'v123', 'x'.repeat(129)])(
    'an alias such as %j is refused',
    async (alias) => {
      const digest = await publish('refused', 1)
      expect((await setAliases('refused', digest, alias)).status).toBe(400)
      expect((await labelsOf('refused', digest)).aliases).toEqual(['latest'])
    },
  )
})

describe('labels and versions', () => {
  test('a version that is not there or deleted takes none', async () => {
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

  test('deletion takes labels away for good, and new ones can be given after it', async () => {
    const digest = await publish('reborn', 1)
    await addTags('reborn', digest, 'old-tag')
    await setAliases('reborn', digest, 'old-alias')
    await server.post('/obj/delete', { project_id, object_id: 'reborn', digests: [digest] })
    await publish('reborn', 1)
    expect(await labelsOf('reborn', digest)).toEqual({ tags: [], aliases: ['latest'] })
    await addTags('reborn', digest, 'old-tag')
    expect((await labelsOf('reborn', digest)).tags).toEqual(['old-tag'])
  })

  test('the lists of a project have each name once, sorted, and none of other projects', async () => {
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
