import { rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { Replica } from '../../src/core/cluster/topology.ts'
import { type ClusterDatabase, openCluster } from '../../src/store/cluster/cluster-database.ts'
import { lostPartsProbe } from '../../src/app/lost-parts.ts'
import {
  type DetachedPart,
  listDetachedParts,
  listDetachedPartFiles,
  partName,
} from '../../src/store/database/detached-parts.ts'
import { readEveryServer, serverHost } from '../../src/store/database/every-server.ts'
import { runCli } from '../run-cli.ts'
import { clusterEnvironment, useServer } from '../harness.ts'

/** Detached parts of a ClickHouse that Heddle did not start. */
const server = useServer()

/** Detaches all parts of feedback, and renames them as ClickHouse does for this reason. */
async function detachFeedback(reason: string): Promise<DetachedPart> {
  const db = server.heddle.deps.db.firstShard
  const before = new Set((await listDetachedParts(db)).map(({ name }) => name))
  await server.post('/feedback/create', {
    project_id: server.project_id,
    weave_ref: `weave:///${server.project_id}/call/a-call`,
    feedback_type: 'wandb.reaction.1',
    payload: { emoji: '👍' },
  })
  await db.ddl('ALTER TABLE feedback DETACH PARTITION tuple()')
  const [part] = (await listDetachedPartFiles(db)).filter(({ name }) => !before.has(name))
  expect(part?.reason).toBe('')
  const name = `${reason}_${part!.name}`
  await rename(part!.path, join(dirname(part!.path.replace(/\/$/, '')), name))
  const { everyServer } = server.heddle.deps.db
  return {
    table: 'feedback',
    name,
    reason,
    server: everyServer.length === 1 ? undefined : serverHost(db.settings.url),
  }
}

const readiness = () => lostPartsProbe(server.heddle.deps.db, undefined)()
test.each(['ignored', 'clone', 'noquorum', 'covered-by-broken', 'merge-not-byte-identical', 'attaching'])(
  'parts detached with the reason %s do not matter',
  async (reason) => {
    const part = await detachFeedback(reason)
    expect(await readEveryServer(server.heddle.deps.db, listDetachedParts)).toContainEqual(part)
    expect(await readiness()).toBeUndefined()
  },
)

const metric = async (): Promise<string[]> => {
  const { text } = await server.send('/metrics')
  return text.split('\n').filter((line) => line.startsWith('heddle_clickhouse_detached_parts{'))
}

test('a metric counts detached parts by table and reason', async () => {
  await detachFeedback('ignored')
  await detachFeedback('some-future-reason')
  const name = 'heddle_clickhouse_detached_parts'
  const { db } = server.heddle.deps
  const at = db.everyServer.length === 1 ? '' : `,server="${serverHost(db.firstShard.settings.url)}"`
  expect(await metric()).toEqual(
    expect.arrayContaining([
      `${name}{table="feedback",reason="ignored"${at}} 2`,
      `${name}{table="feedback",reason="clone"${at}} 1`,
      `${name}{table="feedback",reason="other"${at}} 1`,
    ]),
  )
})

test.each(['broken', 'broken-on-start', 'broken-from-backup', 'unexpected'])(
  'a part detached with the reason %s is lost data until it is accepted or deleted',
  async (reason) => {
    const { settings } = server.heddle.deps.db
    const part = partName(await detachFeedback(reason))
    expect(await readiness()).toContain(`a part and detached it (${part})`)
    for (const allowed of ['all', part, `calls/other, ${part}`])
      expect(await lostPartsProbe(server.heddle.deps.db, allowed)()).toBeUndefined()
    expect(await lostPartsProbe(server.heddle.deps.db, `calls/other,${part}_try1`)()).toBeDefined()
    const { code, stderr } = await runCli(['parts', 'drop', part, '--database', settings.database], {
      env: {
        HEDDLE_CLICKHOUSE_URL: settings.url,
        ...clusterEnvironment(),
        HEDDLE_CLICKHOUSE_USER: settings.username,
        HEDDLE_CLICKHOUSE_PASSWORD: settings.password,
      },
    })
    expect([code, stderr]).toEqual([0, `deleted the detached part ${part}\n`])
    expect(await readiness()).toBeUndefined()
  },
)

test('a part that one of several replicas could not load is not lost data', async () => {
  const { settings } = server.heddle.deps.db
  const { name } = await detachFeedback('broken-on-start')
  const replica = (url: string) => ({ url, native: '127.0.0.1:9000' })
  const cluster = (...replicas: [Replica, ...Replica[]]): ClusterDatabase =>
    openCluster(settings, {
      shards: [{ number: 1, replicas, generation: 1, isJoining: false }],
      replication: undefined,
    })
  // The same server by two names.
  const other = settings.url.replace('127.0.0.1', 'localhost')
  const databases = [cluster(replica(settings.url)), cluster(replica(settings.url), replica(other))] as const
  expect(await lostPartsProbe(databases[0], undefined)()).toContain(name)
  expect(await lostPartsProbe(databases[1], undefined)()).toBeUndefined()
  for (const db of databases) await db.close()
  await server.heddle.deps.db.firstShard.ddl(
    `ALTER TABLE feedback DROP DETACHED PART '${name}' SETTINGS allow_drop_detached = 1`,
  )
})

test('a server without lost data looks again after a minute, one with lost data at every probe', async () => {
  let nowMs = 0
  const probe = lostPartsProbe(server.heddle.deps.db, undefined, () => nowMs)
  expect(await probe()).toBeUndefined()
  const { name } = await detachFeedback('broken-on-start')
  expect(await probe()).toBeUndefined()
  nowMs += 60_000
  expect(await probe()).toContain(name)
  await server.heddle.deps.db.firstShard.ddl(
    `ALTER TABLE feedback DROP DETACHED PART '${name}' SETTINGS allow_drop_detached = 1`,
  )
  expect(await probe()).toBeUndefined()
})
