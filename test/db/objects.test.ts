import { describe, expect, test } from 'vitest'
import { formatTime } from '../../src/core/time/time.ts'
import { insertVersion } from '../../src/store/objects/objects.ts'
import { RawJson } from '../../src/contract/raw-json.ts'
import { projectNames, useServer } from '../harness.ts'

const server = useServer()

type Json = Record<string, unknown>

interface Version extends Json {
  object_id: string
  digest: string
  version_index: number
  is_latest: number
  created_at: string
  val: unknown
}

const newProject = projectNames('acme/objects')

async function publish(
  project_id: string,
  object_id: string,
  val: unknown,
  extra: Json = {},
): Promise<string> {
  const { digest } = await server.post<{ digest: string }>('/obj/create', {
    obj: { project_id, object_id, val, ...extra },
  })
  return digest
}

async function query(project_id: string, filter: Json | null = null, extra: Json = {}): Promise<Version[]> {
  const { objs } = await server.post<{ objs: Version[] }>('/objs/query', { project_id, filter, ...extra })
  return objs
}

async function read(project_id: string, object_id: string, digest: string): Promise<Version> {
  return (await server.post<{ obj: Version }>('/obj/read', { project_id, object_id, digest })).obj
}

/** `[digest, version_index, is_latest]` of each version that is not deleted, by index. */
async function listVersions(project_id: string, object_id: string): Promise<[string, number, number][]> {
  const objs = await query(project_id, { object_ids: [object_id] })
  return objs
    .map((obj): [string, number, number] => [obj.digest, obj.version_index, obj.is_latest])
    .sort(([, a], [, b]) => a - b)
}

async function remove(project_id: string, object_id: string, digests?: string[]): Promise<Json> {
  return server.post('/obj/delete', { project_id, object_id, digests: digests ?? null })
}

async function label(
  project_id: string,
  object_id: string,
  kind: 'tag' | 'alias',
  name: string,
  digest: string,
): Promise<void> {
  await server.heddle.deps.db.insert('object_labels', [
    {
      project_id,
      object_id,
      kind,
      label: name,
      tagged_digest: kind === 'tag' ? digest : '',
      digest,
      created_at: formatTime(server.heddle.deps.now()),
    },
  ])
}

describe('publishing', () => {
  test('an object has every field of the contract, and deleted_at is absent', async () => {
    const project_id = newProject()
    const digest = await publish(project_id, 'model', { a: 1 })
    expect(digest).toBe('XdhgKMbg1k4iUYb5astpM4ssWXZN95FiEH9cS7NNExA')
    const obj = await read(project_id, 'model', digest)
    expect(obj).toEqual({
      project_id,
      object_id: 'model',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/) as string,
      digest,
      version_index: 0,
      is_latest: 1,
      kind: 'object',
      base_object_class: null,
      leaf_object_class: null,
      val: { a: 1 },
      wb_user_id: expect.stringMatching(/./) as string,
      size_bytes: null,
      tags: null,
      aliases: null,
    })
  })

  test('a value is returned byte for byte', async () => {
    const project_id = newProject()
    const val =
      '{ "z":1.0,"a": 123456789012345678901234567890, "s":"\\ud800 \\u00e9 é/\\/", "e":1E5,"n":[-0.0, 1e400]}'
    const { json } = await server.send(
      '/obj/create',
      `{"obj":{"project_id":"${project_id}","object_id":"x","val":${val}}}`,
    )
    for (const [path, body] of [
      ['/obj/read', { project_id, object_id: 'x', digest: json['digest'] }],
      ['/objs/query', { project_id }],
      ['/refs/read_batch', { refs: [`weave:///${project_id}/object/x:${json['digest'] as string}`] }],
    ] as const) {
      expect((await server.send(path, body)).text).toContain(val)
    }
  })

  test('any JSON can be a value', async () => {
    const project_id = newProject()
    for (const val of [null, 0, 'text', [], [1, { a: null }], true]) {
      expect((await read(project_id, 'any', await publish(project_id, 'any', val))).val).toEqual(val)
    }
  })

  test('a digest other than the expected one is a conflict and stores nothing', async () => {
    const project_id = newProject()
    const obj = { project_id, object_id: 'x', val: { a: 1 } }
    expect((await server.send('/obj/create', { obj: { ...obj, expected_digest: 'other' } })).status).toBe(409)
    expect(await query(project_id)).toEqual([])
    const expected_digest = 'XdhgKMbg1k4iUYb5astpM4ssWXZN95FiEH9cS7NNExA'
    expect((await server.send('/obj/create', { obj: { ...obj, expected_digest } })).status).toBe(200)
  })

  test('names are validated', async () => {
    const project_id = newProject()
    const status = async (object_id: string) =>
      (await server.send('/obj/create', { obj: { project_id, object_id, val: 1 } })).status
    for (const name of ['a/b', 'a:b', '', 'a b', 'a*']) expect(await status(name)).toBe(422)
    for (const name of ['a.b-c_1', 'Müller', 'x'.repeat(128)]) expect(await status(name)).toBe(200)
    expect(await status('x'.repeat(129))).toBe(400)
  })

  test('kind and classes follow from the value', async () => {
    const project_id = newProject()
    await publish(project_id, 'op', { _type: 'CustomWeaveType', weave_type: { type: 'Op' }, files: {} })
    await publish(project_id, 'custom', { _type: 'CustomWeaveType', weave_type: { type: 'Image' } })
    await publish(project_id, 'leaf', { _class_name: 'MyModel', _bases: ['Model', 'Object', 'BaseModel'] })
    await publish(project_id, 'base', { _class_name: 'Model', _bases: ['Object', 'BaseModel'] })
    await publish(project_id, 'none', { _class_name: 'Model', _bases: ['Something'] })
    const builtin_object_class = 'ProviderModel'
    await publish(project_id, 'built-in', { provider: 'p', max_tokens: 5 }, { builtin_object_class })
    const objs = await query(project_id)
    expect(objs.map((o) => [o.object_id, o['kind'], o['base_object_class'], o['leaf_object_class']])).toEqual(
      [
        ['op', 'op', null, null],
        ['custom', 'object', null, null],
        ['leaf', 'object', 'Model', 'MyModel'],
        ['base', 'object', 'Model', 'Model'],
        ['none', 'object', null, null],
        ['built-in', 'object', 'ProviderModel', 'ProviderModel'],
      ],
    )
  })

  test('an object of a built-in class is validated and completed, and has the digest that Weave computes', async () => {
    const project_id = newProject()
    const val = { name: 'Correct', field_schema: { type: 'boolean' }, left_out: 1 }
    const obj = { project_id, object_id: 'x', val }
    const digest = 'X3ixYKMhTnbZzYo6GzVffjUXC1gCkXT9vSrPUUTz65w'
    for (const key of ['builtin_object_class', 'set_base_object_class'])
      expect(await publish(project_id, 'x', val, { [key]: 'AnnotationSpec' })).toBe(digest)
    const text =
      '{"_type":"AnnotationSpec","name":"Correct","description":null,"field_schema":{"type":"boolean"},"unique_among_creators":false,"op_scope":null,"_class_name":"AnnotationSpec","_bases":["BaseObject","BaseModel"]}'
    expect((await server.send('/obj/read', { ...obj, digest })).text).toContain(`"val":${text}`)
    const refused = async (builtin_object_class: string, changed: unknown) => {
      const body = { obj: { ...obj, builtin_object_class, val: changed } }
      const { status, json } = await server.send('/obj/create', body)
      return [status, json['reason'], json['detail']]
    }
    expect(await refused('AnnotationSpec', { field_schema: { type: 'nosuchtype' } })).toMatchObject([
      422,
      expect.stringContaining('obj.val.field_schema.type: must be one of array'),
      [{ loc: ['body', 'obj', 'val', 'field_schema', 'type'] }],
    ])
    expect(await refused('SavedView', { label: 'a' })).toMatchObject([
      422,
      expect.stringContaining('view_type'),
      expect.any(Array),
    ])
    expect(await refused('AnnotationSpec', 1)).toMatchObject([400, expect.any(String), undefined])
    for (const name of ['Nope', 'ChartConfig', ''])
      expect(await refused(name, val)).toMatchObject([
        422,
        expect.stringContaining('must be AgentDashboard or AlertSpec or AnnotationSpec'),
        [{ loc: ['body', 'obj', 'builtin_object_class'] }],
      ])
    expect(await listVersions(project_id, 'x')).toEqual([[digest, 0, 1]])
  })
})

describe('versions', () => {
  test('publishing a version again makes it the latest with its old index, without a new version', async () => {
    const project_id = newProject()
    const a = await publish(project_id, 'x', { n: 'a' })
    const b = await publish(project_id, 'x', { n: 'b' })
    expect(await listVersions(project_id, 'x')).toEqual([
      [a, 0, 0],
      [b, 1, 1],
    ])
    expect(await publish(project_id, 'x', { n: 'a' })).toBe(a)
    expect(await listVersions(project_id, 'x')).toEqual([
      [a, 0, 1],
      [b, 1, 0],
    ])
  })

  test('publishing a version again moves its created_at, and so its place in lists', async () => {
    const project_id = newProject()
    const a = await publish(project_id, 'x', 'a')
    const b = await publish(project_id, 'x', 'b')
    const { created_at } = await read(project_id, 'x', a)
    await publish(project_id, 'x', 'a')
    const again = await read(project_id, 'x', a)
    expect(again.created_at > (await read(project_id, 'x', b)).created_at).toBe(true)
    expect([again.created_at > created_at, again.version_index]).toEqual([true, 0])
    const digests = async (extra: Json) => (await query(project_id, null, extra)).map((obj) => obj.digest)
    expect(await digests({})).toEqual([b, a])
    expect(await digests({ sort_by: [{ field: 'created_at', direction: 'desc' }] })).toEqual([a, b])
    expect(await digests({ limit: 1, offset: 1 })).toEqual([a])
    await remove(project_id, 'x', [a])
    await publish(project_id, 'x', 'a')
    expect(await listVersions(project_id, 'x')).toEqual([
      [a, 0, 1],
      [b, 1, 0],
    ])
  })

  test('a name has objects of one class', async () => {
    const project_id = newProject()
    const of = (name: string, n: number, root = 'Object') => ({
      n,
      _type: name,
      _class_name: name,
      _bases: [root, 'BaseModel'],
    })
    const create = (object_id: string, val: unknown) =>
      server.send('/obj/create', { obj: { project_id, object_id, val } })
    const a = await publish(project_id, 'x', of('Model', 1))
    const refused = await create('x', of('Dataset', 1))
    expect([refused.status, refused.json]).toMatchObject([400, { code: 'invalid_request' }])
    expect(refused.text).toContain('used by an object of class Model')
    expect(await listVersions(project_id, 'x')).toEqual([[a, 0, 1]])
    // More versions, subclasses, the same content again, objects without a class, ops, another name, another project.
    await publish(project_id, 'x', of('Model', 2))
    await publish(project_id, 'x', { n: 3, _class_name: 'Mine', _bases: ['Model', 'Object', 'BaseModel'] })
    await publish(project_id, 'x', of('Model', 1))
    await publish(project_id, 'x', { plain: 1 })
    await publish(project_id, 'x', { _type: 'CustomWeaveType', weave_type: { type: 'Op' }, files: {} })
    await publish(project_id, 'y', of('Dataset', 1))
    await publish(newProject(), 'x', of('Dataset', 1))
    expect((await create('x', of('Dataset', 1))).status).toBe(400)
    // The name of a deleted object is free.
    await remove(project_id, 'x')
    await publish(project_id, 'x', of('Dataset', 1, 'BaseObject'))
    expect((await create('x', of('Model', 1))).status).toBe(400)
  })

  test('a deleted version is not the latest, and the others keep their index', async () => {
    const project_id = newProject()
    const [a, b, c] = [
      await publish(project_id, 'x', 1),
      await publish(project_id, 'x', 2),
      await publish(project_id, 'x', 3),
    ]
    await publish(project_id, 'x', 2)
    await remove(project_id, 'x', [b])
    expect(await listVersions(project_id, 'x')).toEqual([
      [a, 0, 0],
      [c, 2, 1],
    ])
    await remove(project_id, 'x', ['latest'])
    expect(await listVersions(project_id, 'x')).toEqual([[a, 0, 1]])
    const d = await publish(project_id, 'x', 4)
    expect(await listVersions(project_id, 'x')).toEqual([
      [a, 0, 0],
      [d, 3, 1],
    ])
  })

  test('a deleted version that is published again has its old index', async () => {
    const project_id = newProject()
    const a = await publish(project_id, 'x', 1)
    const b = await publish(project_id, 'x', 2)
    const { created_at } = await read(project_id, 'x', a)
    await remove(project_id, 'x', [a])
    expect((await server.send('/obj/read', { project_id, object_id: 'x', digest: a })).status).toBe(404)
    await publish(project_id, 'x', 1)
    expect(await listVersions(project_id, 'x')).toEqual([
      [a, 0, 1],
      [b, 1, 0],
    ])
    expect((await read(project_id, 'x', 'v0')).created_at > created_at).toBe(true)
  })

  test('with concurrent publishers indexes have no gaps and exactly one version is the latest', async () => {
    const project_id = newProject()
    const values = Array.from({ length: 40 }, (_, i) => i % 13)
    await Promise.all(values.map((val) => publish(project_id, 'x', val)))
    const objs = await listVersions(project_id, 'x')
    expect(objs.map(([, version_index]) => version_index)).toEqual(Array.from({ length: 13 }, (_, i) => i))
    expect(objs.filter(([, , is_latest]) => is_latest === 1)).toHaveLength(1)
  })

  test('versions of the same microsecond have a deterministic index, also when sent repeatedly', async () => {
    const project_id = newProject()
    const at = '2026-01-01T00:00:00.000001Z'
    for (const digest of ['b', 'a', 'b', 'c', 'a']) {
      const version = {
        project_id,
        object_id: 'x',
        digest,
        val: RawJson.fromValue(digest),
        wb_user_id: digest,
      }
      const plain = { kind: 'object', base_object_class: null, leaf_object_class: null } as const
      await insertVersion(server.heddle.deps.db, { ...version, ...plain }, at)
    }
    expect(await listVersions(project_id, 'x')).toEqual([
      ['a', 0, 0],
      ['b', 1, 0],
      ['c', 2, 1],
    ])
  })

  test('a version published by a node with a slow clock is still the latest', async () => {
    const project_id = newProject()
    const version = {
      project_id,
      object_id: 'x',
      digest: 'future',
      val: RawJson.fromValue(1),
      wb_user_id: 'u',
    }
    const plain = { kind: 'object', base_object_class: null, leaf_object_class: null } as const
    await insertVersion(server.heddle.deps.db, { ...version, ...plain }, '2090-01-01T00:00:00.000000Z')
    const own = await publish(project_id, 'x', 2)
    expect(await listVersions(project_id, 'x')).toEqual([
      ['future', 0, 0],
      [own, 1, 1],
    ])
    await remove(project_id, 'x', [own])
    expect(await listVersions(project_id, 'x')).toEqual([['future', 0, 1]])
  })

  test('the first publisher stays the author', async () => {
    const project_id = newProject()
    const alice = await server.user('alice', { [project_id]: 'write' })
    const obj = { project_id, object_id: 'x', val: 1 }
    await server.as(alice)('/obj/create', { obj })
    const before = await read(project_id, 'x', 'latest')
    await publish(project_id, 'x', 1)
    await remove(project_id, 'x')
    await publish(project_id, 'x', 1)
    const after = await read(project_id, 'x', 'latest')
    expect(after['wb_user_id']).toBe(before['wb_user_id'])
  })
})

describe('reading one version', () => {
  test('by digest, latest, version index and alias', async () => {
    const project_id = newProject()
    const a = await publish(project_id, 'x', 1)
    const b = await publish(project_id, 'x', 2)
    await label(project_id, 'x', 'alias', 'prod', a)
    for (const [digest, found] of [
      [a, a],
      ['latest', b],
      ['v0', a],
      ['v1', b],
      ['prod', a],
    ] as const) {
      expect((await read(project_id, 'x', digest)).digest).toBe(found)
    }
    await label(project_id, 'x', 'alias', 'prod', b)
    expect((await read(project_id, 'x', 'prod')).digest).toBe(b)
  })

  test('an unknown version is a 404 that names it', async () => {
    const project_id = newProject()
    await publish(project_id, 'x', 1)
    for (const [object_id, digest] of [
      ['x', 'v1'],
      ['x', 'A'.repeat(43)],
      ['x', 'prod'],
      ['y', 'latest'],
      ['x', 'v99999999999'],
    ]) {
      const response = await server.send('/obj/read', { project_id, object_id, digest })
      expect(response.status).toBe(404)
      expect(response.json['reason']).toBe(`Obj ${object_id}:${digest} not found`)
      expect(response.json).not.toHaveProperty('deleted_at')
    }
  })

  test('a deleted version is a 404 with deleted_at', async () => {
    const project_id = newProject()
    const digest = await publish(project_id, 'x', 1)
    await remove(project_id, 'x')
    for (const version of [digest, 'v0']) {
      const response = await server.send('/obj/read', { project_id, object_id: 'x', digest: version })
      expect(response.status).toBe(404)
      expect(response.json['deleted_at']).toMatch(/^\d{4}-.*Z$/)
    }
    expect((await server.send('/obj/read', { project_id, object_id: 'x', digest: 'latest' })).status).toBe(
      404,
    )
  })

  test('a deletion removes the labels of a version permanently', async () => {
    const project_id = newProject()
    const digest = await publish(project_id, 'x', 1)
    await label(project_id, 'x', 'alias', 'prod', digest)
    await label(project_id, 'x', 'tag', 'good', digest)
    await remove(project_id, 'x')
    await publish(project_id, 'x', 1)
    expect((await server.send('/obj/read', { project_id, object_id: 'x', digest: 'prod' })).status).toBe(404)
    expect(await query(project_id, { tags: ['good'] })).toEqual([])
  })

  test('metadata_only omits the value', async () => {
    const project_id = newProject()
    await publish(project_id, 'x', { a: 1 })
    const body = { project_id, object_id: 'x', digest: 'latest', metadata_only: true }
    expect((await server.post<{ obj: Version }>('/obj/read', body)).obj.val).toEqual({})
  })
})

describe('deleting', () => {
  test('returns the deleted versions', async () => {
    const project_id = newProject()
    const a = await publish(project_id, 'x', { _class_name: 'M', _bases: ['Object', 'BaseModel'] })
    const b = await publish(project_id, 'x', 2)
    await publish(project_id, 'x', 3)
    expect(await remove(project_id, 'x', ['v0', a, b])).toEqual({
      num_deleted: 2,
      deleted_versions: [
        { digest: a, base_object_class: 'M', leaf_object_class: 'M' },
        { digest: b, base_object_class: null, leaf_object_class: null },
      ],
    })
    expect((await remove(project_id, 'x'))['num_deleted']).toBe(1)
  })

  test('an unknown version is a 404, and nothing is deleted', async () => {
    const project_id = newProject()
    const a = await publish(project_id, 'x', 1)
    const status = async (object_id: string, digests: string[] | null) =>
      (await server.send('/obj/delete', { project_id, object_id, digests })).status
    expect(await status('y', null)).toBe(404)
    expect(await status('x', [a, 'v7'])).toBe(404)
    expect(
      await status(
        'x',
        Array.from({ length: 101 }, () => a),
      ),
    ).toBe(400)
    expect(await listVersions(project_id, 'x')).toEqual([[a, 0, 1]])
    expect(await status('x', [a])).toBe(200)
    expect(await status('x', [a])).toBe(404)
  })
})

describe('listing', () => {
  test('by each key of the filter', async () => {
    const project_id = newProject()
    const model = (leaf: string) => ({ _class_name: leaf, _bases: ['Model', 'Object', 'BaseModel'] })
    await publish(project_id, 'op', { _type: 'CustomWeaveType', weave_type: { type: 'Op' } })
    const one = await publish(project_id, 'one', model('One'))
    const two = await publish(project_id, 'one', model('Two'))
    await publish(project_id, 'set', { _class_name: 'Dataset', _bases: ['Object', 'BaseModel'] })
    await label(project_id, 'one', 'tag', 'good', one)
    await label(project_id, 'one', 'alias', 'prod', two)
    const names = async (filter: Json) =>
      (await query(project_id, filter)).map((obj) => `${obj.object_id}:${obj.version_index}`)
    expect(await names({})).toEqual(['op:0', 'one:0', 'one:1', 'set:0'])
    expect(await names({ object_ids: ['one', 'nope'] })).toEqual(['one:0', 'one:1'])
    expect(await names({ object_ids: [] })).toHaveLength(4)
    expect(await names({ latest_only: true })).toEqual(['op:0', 'one:1', 'set:0'])
    expect(await names({ is_op: true })).toEqual(['op:0'])
    expect(await names({ is_op: false })).toEqual(['one:0', 'one:1', 'set:0'])
    expect(await names({ base_object_classes: ['Model'] })).toEqual(['one:0', 'one:1'])
    expect(await names({ exclude_base_object_classes: ['Model'] })).toEqual(['op:0', 'set:0'])
    expect(await names({ leaf_object_classes: ['Two', 'Dataset'] })).toEqual(['one:1', 'set:0'])
    expect(await names({ tags: ['good', 'x'] })).toEqual(['one:0'])
    expect(await names({ aliases: ['prod'] })).toEqual(['one:1'])
    expect(await names({ aliases: ['latest'] })).toEqual(['op:0', 'one:1', 'set:0'])
    expect(await names({ aliases: ['latest'], tags: ['good'] })).toEqual([])
    const [labelled] = await query(project_id, { tags: ['good'] }, { include_tags_and_aliases: true })
    expect([labelled?.['tags'], labelled?.['aliases']]).toEqual([['good'], []])
    const [aliased] = await query(project_id, { aliases: ['prod'] }, { include_tags_and_aliases: true })
    expect([aliased?.['tags'], aliased?.['aliases']]).toEqual([[], ['prod', 'latest']])
  })

  test('sorts by name or time, ignores other sort fields, and pages without gaps or repeats', async () => {
    const project_id = newProject()
    for (const name of ['b', 'a', 'c']) await publish(project_id, name, name)
    const names = async (extra: Json) => (await query(project_id, null, extra)).map((obj) => obj.object_id)
    expect(await names({})).toEqual(['b', 'a', 'c'])
    expect(await names({ sort_by: [{ field: 'object_id', direction: 'desc' }] })).toEqual(['c', 'b', 'a'])
    expect(await names({ sort_by: [{ field: 'created_at', direction: 'desc' }] })).toEqual(['c', 'a', 'b'])
    for (const field of ['val.x', 'digest', 'Object_id', '', 'object_id; DROP TABLE calls']) {
      const sort_by = [
        { field: 'created_at', direction: 'asc' },
        { field, direction: 'asc' },
      ]
      const { status, json } = await server.send('/objs/query', { project_id, sort_by })
      const detail = [{ loc: ['body', 'sort_by', 1, 'field'], msg: 'must be object_id or created_at' }]
      expect([field, status, json['detail']]).toMatchObject([field, 422, detail])
    }
    expect(await names({ limit: 2 })).toEqual(['b', 'a'])
    expect(await names({ limit: 2, offset: 2 })).toEqual(['c'])
    expect(await names({ offset: 1 })).toEqual(['a', 'c'])
    expect(await names({ limit: 0 })).toEqual([])
    for (const bad of [{ limit: -1 }, { offset: -1 }]) {
      expect((await server.send('/objs/query', { project_id, ...bad })).status).toBe(422)
    }
  })

  test('metadata_only returns {} for every value; sizes are returned on request', async () => {
    const project_id = newProject()
    await publish(project_id, 'x', { a: 'é' })
    const [obj] = await query(project_id, null, { metadata_only: true, include_storage_size: true })
    expect([obj?.val, obj?.['size_bytes']]).toEqual([{}, Buffer.byteLength('{"a":"é"}')])
  })

  test('more versions than fit in one statement are returned with their own values', async () => {
    const project_id = newProject()
    const db = server.heddle.deps.db
    const at = formatTime(server.heddle.deps.now())
    await db.insert(
      'object_versions',
      Array.from({ length: 2500 }, (_, i) => ({
        project_id,
        object_id: `object-${String(i).padStart(4, '0')}`,
        digest: String(i).padStart(43, 'd'),
        created_at: at,
        created_by: `${at} u`,
        published_at: at,
        kind: 'object',
        val: String(i),
      })),
    )
    const objs = await query(project_id)
    expect(objs.map((obj) => obj.val)).toEqual(Array.from({ length: 2500 }, (_, i) => i))
  })
})

test('objects with the same name and content in two projects are independent', async () => {
  const [one, two] = [newProject(), newProject()]
  const digest = await publish(one, 'x', { secret: 1 })
  expect(await query(two)).toEqual([])
  expect((await server.send('/obj/read', { project_id: two, object_id: 'x', digest })).status).toBe(404)
  await publish(two, 'x', 'first of two')
  await publish(two, 'x', { secret: 1 })
  await remove(one, 'x')
  expect((await read(two, 'x', digest)).version_index).toBe(1)
  expect(await query(one)).toEqual([])
})
