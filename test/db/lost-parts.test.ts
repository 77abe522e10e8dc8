import { rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { lostPartsProbe } from '../../src/app/lost-parts.ts'
import {
  type DetachedPart,
  listDetachedParts,
  listDetachedPartFiles,
} from '../../src/store/database/detached-parts.ts'
import { runCli } from '../run-cli.ts'
import { useServer } from '../harness.ts'

/** Detached parts of a ClickHouse that Heddle did not start. */
const server = useServer()

/** Detaches all parts of feedback, and renames them as ClickHouse does for this reason. */
async function detachFeedback(reason: string): Promise<DetachedPart> {
  const { db } = server.heddle.deps
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
  return { table: 'feedback', name, reason }
}

const readiness = () => lostPartsProbe(server.heddle.deps.db, undefined)()
test.each(['ignored', 'clone', 'noquorum', 'covered-by-broken', 'merge-not-byte-identical', 'attaching'])(
  'parts detached with the reason %s do not matter',
  async (reason) => {
    const part = await detachFeedback(reason)
    expect(await listDetachedParts(server.heddle.deps.db)).toContainEqual(part)
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
  expect(await metric()).toEqual(
    expect.arrayContaining([
      `${name}{table="feedback",reason="ignored"} 2`,
      `${name}{table="feedback",reason="clone"} 1`,
      `${name}{table="feedback",reason="other"} 1`,
    ]),
  )
})

test.each(['broken', 'broken-on-start', 'broken-from-backup', 'unexpected'])(
  'a part detached with the reason %s is lost data until it is accepted or deleted',
  async (reason) => {
    const { settings } = server.heddle.deps.db
    const part = `feedback/${(await detachFeedback(reason)).name}`
    expect(await readiness()).toContain(`a part and detached it (${part})`)
    for (const allowed of ['all', part, `calls/other, ${part}`])
      expect(await lostPartsProbe(server.heddle.deps.db, allowed)()).toBeUndefined()
    expect(await lostPartsProbe(server.heddle.deps.db, `calls/other,${part}_try1`)()).toBeDefined()
    const { code, stderr } = await runCli(['parts', 'drop', part, '--database', settings.database], {
      env: {
        HEDDLE_CLICKHOUSE_URL: settings.url,
        HEDDLE_CLICKHOUSE_USER: settings.username,
        HEDDLE_CLICKHOUSE_PASSWORD: settings.password,
      },
    })
    expect([code, stderr]).toEqual([0, `deleted the detached part ${part}\n`])
    expect(await readiness()).toBeUndefined()
  },
)

test('a server without lost data looks again after a minute, one with lost data at every probe', async () => {
  let nowMs = 0
  const probe = lostPartsProbe(server.heddle.deps.db, undefined, () => nowMs)
  expect(await probe()).toBeUndefined()
  const { name } = await detachFeedback('broken-on-start')
  expect(await probe()).toBeUndefined()
  nowMs += 60_000
  expect(await probe()).toContain(name)
  await server.heddle.deps.db.ddl(
    `ALTER TABLE feedback DROP DETACHED PART '${name}' SETTINGS allow_drop_detached = 1`,
  )
  expect(await probe()).toBeUndefined()
})
