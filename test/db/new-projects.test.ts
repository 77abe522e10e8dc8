import { expect, test } from 'vitest'
import { createAccess } from '../../src/service/access/access.ts'
import type { Caller, Deps } from '../../src/service/deps.ts'
import { findProjectStates } from '../../src/store/access/projects.ts'
import type { Database } from '../../src/store/database/database.ts'
import { useServer } from '../harness.ts'

/** A project is created by its first write. One request may name many, at a bounded cost. */

const server = useServer()

const batch = (project_ids: readonly string[]) => ({
  batch: project_ids.map((project_id) => ({ mode: 'start', req: { start: { project_id, op_name: 'op' } } })),
})

const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}-${n}`)

/** The dependencies with a database that records the statements of the access tables. */
function recordStatements(deps: Deps): { readonly deps: Deps; readonly statements: string[] } {
  const statements: string[] = []
  const recorded = {
    rows: (...args: Parameters<Database['rows']>) => {
      statements.push(args[1].name)
      return deps.db.rows(...args)
    },
    insert: (...args: Parameters<Database['insert']>) => {
      statements.push(`insert ${args[0]} ${args[1].length}`)
      return deps.db.insert(...args)
    },
  }
  const db = new Proxy(deps.db, {
    get: (target, name) => recorded[name as keyof typeof recorded] ?? Reflect.get(target, name, target),
  })
  return { deps: { ...deps, db }, statements }
}

const caller = (user_id: string): Caller => ({ user_id, username: user_id })

test('all new projects of a request need one lookup and one insert, and later requests none', async () => {
  await server.user('ann')
  const { deps, statements } = recordStatements(server.heddle.deps)
  const access = createAccess(deps)
  await access.authorize(caller('ann'), 'read', ['ann/p'])
  statements.length = 0
  await access.authorize(caller('ann'), 'write', names('ann/p', 500))
  expect(statements).toEqual(['projects find', 'insert projects 500'])
  statements.length = 0
  await access.authorize(caller('ann'), 'write', names('ann/p', 500))
  expect(statements).toEqual([])
  await access.authorize(caller('ann'), 'write', names('ann/p', 501))
  expect(statements).toEqual(['projects find', 'insert projects 1'])
  // Another node looks them up once.
  const other = recordStatements(server.heddle.deps)
  const node = createAccess(other.deps)
  await Promise.all([1, 2, 3].map(() => node.authorize(caller('ann'), 'write', names('ann/p', 501))))
  expect(other.statements.filter((name) => name.includes('projects'))).toEqual(['projects find'])
})

test('a user may create many projects at once, then at a rate; existing projects and other users are not limited', async () => {
  const ben = server.as(await server.user('ben'))
  const cleo = server.as(await server.user('cleo'))
  const first = names('ben/p', 3_000)
  expect((await ben('/call/upsert_batch', batch(first))).status).toBe(200)
  expect(await findProjectStates(server.heddle.deps.db, first)).toHaveLength(3_000)
  const more = await ben('/call/upsert_batch', batch(names('ben/more', 1_000)))
  expect([more.status, more.json['code']]).toEqual([429, 'rate_limited'])
  const retryAfter = Number(more.headers.get('retry-after'))
  expect(retryAfter).toBeGreaterThan(10)
  expect(retryAfter).toBeLessThanOrEqual(100)
  expect(await findProjectStates(server.heddle.deps.db, names('ben/more', 1_000))).toEqual([])
  expect((await ben('/call/upsert_batch', batch(first.slice(0, 100)))).status).toBe(200)
  expect((await cleo('/call/upsert_batch', batch(names('cleo/p', 100)))).status).toBe(200)
  // A server admin has no rate.
  for (const prefix of ['dan/p', 'dan/q'])
    expect((await server.send('/call/upsert_batch', batch(names(prefix, 3_000)))).status).toBe(200)
})

test('a request with more new projects than one may create gets 413, so that SDKs split it', async () => {
  const eve = server.as(await server.user('eve'))
  const response = await eve('/call/upsert_batch', batch(names('eve/p', 3_001)))
  expect([response.status, response.json['reason']]).toEqual([
    413,
    expect.stringContaining('send smaller batches'),
  ])
  expect(await findProjectStates(server.heddle.deps.db, names('eve/p', 3_001))).toEqual([])
  expect((await eve('/call/upsert_batch', batch(names('eve/p', 1_500)))).status).toBe(200)
})

test('requests that wait for another user to create a project do not share its limit', async () => {
  await server.user('fay', { org: 'write' })
  await server.user('gus', { org: 'write' })
  const access = createAccess(server.heddle.deps)
  await access.authorize(caller('fay'), 'write', names('org/used', 3_000))
  const results = await Promise.allSettled([
    access.authorize(caller('fay'), 'write', names('org/new', 2_000)),
    access.authorize(caller('gus'), 'write', names('org/new', 10)),
  ])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(await findProjectStates(server.heddle.deps.db, names('org/new', 20))).toHaveLength(10)
})

test('the calls of many projects in one batch are joined with those of their own project', async () => {
  const project_ids = names('acme/join', 40)
  const send = (records: readonly object[]) => server.post('/call/upsert_batch', { batch: records })
  // The same id in every project.
  await send(
    project_ids.map((project_id) => ({
      mode: 'start',
      req: { start: { project_id, id: 'same', op_name: project_id } },
    })),
  )
  const ends = project_ids.map((project_id) => ({
    mode: 'end',
    req: { end: { project_id, id: 'same', output: `of ${project_id}` } },
  }))
  await send(ends.slice(1))
  await send(ends.slice(1))
  const read = async (project_id: string) =>
    (await server.post<{ call: object }>('/call/read', { project_id, id: 'same' })).call
  for (const project_id of [project_ids[1]!, project_ids[39]!])
    expect(await read(project_id)).toMatchObject({ op_name: project_id, output: `of ${project_id}` })
  expect(await read(project_ids[0]!)).toMatchObject({ op_name: project_ids[0], ended_at: null })
})
