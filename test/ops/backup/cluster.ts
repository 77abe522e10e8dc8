import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startClickHouseCluster } from '../../../scripts/clickhouse-cluster.ts'
import { type ExternalClickHouse, startExternalClickHouse } from '../../../scripts/external-clickhouse.ts'
import { type BackupManifest, storedFiles } from '../../../src/core/backup/manifest.ts'
import { post, PROJECT } from '../../import/api.ts'
import { readContents } from '../../import/contents.ts'
import { seed } from '../../import/seed.ts'
import { waitUntil } from '../../wait-until.ts'
import type { OpsContext, OpsSuite } from '../suite.ts'
import { query, tableChecksums } from './checksums.ts'
import { type BackupSummary, describe, Installation, type ListedBackup } from './installation.ts'
import { CallLoad } from './load.ts'
import { assertReadable } from './readable.ts'

/** One backup of two shards, made under load and interrupted, restored after both are gone, and compared row by row. */
export const backupCluster: OpsSuite = { name: 'backup-cluster', minutes: 1.2, run }

async function run(context: OpsContext): Promise<void> {
  const shards = await TwoShards.start(context.directory)
  try {
    await testShards(context, shards)
  } finally {
    await shards.installation.stop()
    await shards.stop()
  }
}

class TwoShards {
  readonly target: string
  readonly installation: Installation
  readonly file: string
  readonly #directory: string
  #servers: readonly ExternalClickHouse[]

  private constructor(
    directory: string,
    target: string,
    cluster: { readonly file: string; readonly servers: readonly ExternalClickHouse[] },
  ) {
    this.#directory = directory
    this.target = target
    this.file = cluster.file
    this.#servers = cluster.servers
    this.installation = new Installation(join(directory, 'unused'), {
      HEDDLE_CLUSTER: cluster.file,
      HEDDLE_BACKUP_TARGET: target,
      HEDDLE_BACKUP_DISK: 'backups',
      HEDDLE_PROJECT_DELETION_DELAY_MS: '500',
    })
  }

  static async start(parent: string): Promise<TwoShards> {
    const directory = join(parent, 'cluster')
    const target = join(parent, 'cluster-backups')
    const cluster = await startClickHouseCluster(directory, 2, { backupDirectory: target })
    return new TwoShards(directory, target, cluster)
  }

  /** Rows and hashes of every table on each shard. */
  async checksums(): Promise<Record<string, string>[]> {
    return Promise.all(this.#access.map((access) => tableChecksums(access)))
  }

  async query<Row>(text: string): Promise<Row[][]> {
    return Promise.all(this.#access.map((access) => query<Row>(access, text)))
  }

  async execute(text: string): Promise<void> {
    for (const { url } of this.#servers) {
      const response = await fetch(url, { method: 'POST', body: text })
      assert.equal(response.status, 200, await response.text())
    }
  }

  async killServer(index: number): Promise<void> {
    await this.#servers[index]?.kill()
  }

  /** Starts servers that were killed, on their ports; without their data if `isEmpty`. */
  async restart(indexes: readonly number[], { isEmpty }: { readonly isEmpty: boolean }): Promise<void> {
    const servers = [...this.#servers]
    for (const index of indexes) {
      const server = servers[index]
      assert.ok(server !== undefined)
      const data = join(this.#directory, `shard-${index + 1}`)
      if (isEmpty) await rm(data, { recursive: true, force: true })
      const [port, nativePort] = [new URL(server.url).port, server.native.split(':')[1]].map(Number)
      servers[index] = await startExternalClickHouse(data, {
        backupDirectory: this.target,
        port: port ?? 0,
        nativePort: nativePort ?? 0,
      })
    }
    this.#servers = servers
  }

  async stop(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.stop()))
  }

  get #access() {
    return this.#servers.map(({ url }) => ({ url, username: 'default', password: '' }))
  }
}

async function testShards(context: OpsContext, shards: TwoShards): Promise<void> {
  const { installation, target } = shards
  const list = (): Promise<ListedBackup[]> => installation.json('backups', 'list')
  const readManifest = async (id: string): Promise<BackupManifest> =>
    JSON.parse(await readFile(join(target, `${id}.json`), 'utf8')) as BackupManifest
  await installation.start()
  const seeded = await seed(installation.server, context.isLong ? 20_000 : 1_500, 100)
  let full: BackupSummary | undefined
  let acknowledgedBefore: readonly string[] = []
  await context.check('one backup of two shards under load', async () => {
    const load = new CallLoad(installation.server)
    load.start()
    await waitUntil(() => load.acknowledged.size >= 200)
    acknowledgedBefore = [...load.acknowledged]
    full = await installation.json<BackupSummary>('backup')
    await load.stop()
    const manifest = await readManifest(full.id)
    assert.equal(manifest.format, 2)
    assert.equal(manifest.shards.length, 2)
    for (const shard of manifest.shards)
      assert.ok((shard.tables.find(({ name }) => name === 'calls')?.rows ?? 0) > 0, 'a shard has no calls')
    assert.deepEqual(
      storedFiles(manifest).filter(({ path }) => path.includes('heddle_cluster')),
      [],
    )
    console.log(`      full: ${describe(full)}; ${load.acknowledged.size} calls written around it`)
  })

  await post(installation.server, '/obj/create', {
    obj: { project_id: PROJECT, object_id: 'after-the-full-backup', val: { answer: 42 } },
  })
  const contents = await readContents(installation.server, seeded)
  let incremental: BackupSummary | undefined
  await context.check('an incremental backup of each shard stores only what is new', async () => {
    incremental = await installation.json<BackupSummary>('backup')
    assert.equal(incremental.base_id, full?.id)
    for (const index of [1, 2]) {
      const files = await readFile(join(target, incremental.id, `shard-${index}`, '.backup'), 'utf8')
      assert.ok(files.includes(`${full?.id}/shard-${index}`), 'the base is another shard')
      assert.ok(files.includes('<use_base>true</use_base>'), 'nothing is shared with the base')
    }
    console.log(`      incremental: ${describe(incremental)}`)
  })
  const checksums = await shards.checksums()

  await context.check(
    'a project that was erased is restored on both shards beside a running server',
    async () => {
      assert.equal((await installation.run('erase', '--project', PROJECT, '--yes')).code, 0)
      await installation.json('restore', '--project', PROJECT, '--yes')
      const again = await readContents(installation.server, seeded)
      assert.deepEqual(
        [...again].filter(([name, hash]) => contents.get(name) !== hash),
        [],
      )
      assert.equal(again.size, contents.size)
      const left = "SELECT name FROM system.databases WHERE name LIKE '%_project'"
      assert.deepEqual(await shards.query(left), [[], []])
    },
  )

  await context.check('a backup whose command is killed leaves the previous one intact', async () => {
    const command = installation.spawn('backup', '--full')
    await waitUntil(async () => (await readdir(target)).some((name) => name.endsWith('.started')))
    command.kill('SIGKILL')
    await once(command, 'exit')
    assert.equal((await list()).at(-1)?.status, 'incomplete')
    assert.equal((await installation.run('backups', 'verify')).code, 0)
  })
  await context.check('a backup during which a shard is killed leaves the previous one intact', async () => {
    const known = new Set((await list()).map(({ id }) => id))
    const command = installation.spawn('backup', '--full')
    const exited = once(command, 'exit') as Promise<[number | null]>
    await waitUntil(async () =>
      (await readdir(target)).some((name) => !name.includes('.') && !known.has(name)),
    )
    await shards.killServer(1)
    assert.equal((await exited)[0], 1)
    assert.equal((await list()).at(-1)?.status, 'incomplete')
    assert.equal((await installation.run('backups', 'verify', incremental?.id ?? '')).code, 0)
    const { code, stderr } = await installation.run('backup')
    assert.equal(code, 1)
    assert.match(stderr, /shard 2 responds|ClickHouse is not responding/)
    await installation.stop()
    await shards.restart([1], { isEmpty: false })
  })

  await context.check('after both shards are gone, a restore brings back every record', async () => {
    for (const index of [0, 1]) await shards.killServer(index)
    await shards.restart([0, 1], { isEmpty: true })
    const restored = await installation.json<{ rows: number; seconds: number }>('restore')
    assert.equal(restored.rows, incremental?.rows)
    assert.deepEqual(await shards.checksums(), checksums)
    await installation.start()
    const again = await readContents(installation.server, seeded)
    assert.deepEqual(
      [...again].filter(([name, hash]) => contents.get(name) !== hash),
      [],
    )
    assert.equal(again.size, contents.size)
    console.log(
      `      restored ${restored.rows} rows in ${restored.seconds} s, ${again.size} records compared`,
    )
  })
  await context.check('restored shards store and return new calls', async () => {
    const load = new CallLoad(installation.server)
    load.start()
    await waitUntil(() => load.acknowledged.size >= 100)
    await load.stop()
    await assertReadable(installation.server, [...load.acknowledged])
    await installation.stop()
  })

  await context.check('what was acknowledged before a backup of two shards began is in it', async () => {
    const { code, stderr } = await installation.run('restore', full?.id ?? '', '--into', 'under_load')
    assert.equal(code, 0, stderr)
    const { environment } = installation
    installation.environment = { ...environment, HEDDLE_CLICKHOUSE_DATABASE: 'under_load' }
    await installation.start()
    await assertReadable(installation.server, acknowledgedBefore)
    await installation.stop()
    installation.environment = environment
  })

  await context.check('a restore needs the same number of shards', async () => {
    const { environment } = installation
    const cluster = JSON.parse(await readFile(shards.file, 'utf8')) as { shards: object[] }
    const one = `${shards.file}.one`
    await writeFile(one, JSON.stringify({ shards: cluster.shards.slice(0, 1) }))
    installation.environment = { ...environment, HEDDLE_CLUSTER: one }
    const fewer = await installation.run('restore', '--yes')
    assert.equal(fewer.code, 1)
    assert.match(fewer.stderr, /needs the same number of shards/)
    const grown = `${shards.file}.grown`
    await writeFile(
      grown,
      JSON.stringify({ shards: [cluster.shards[0], { ...cluster.shards[1], generation: 2 }] }),
    )
    installation.environment = { ...environment, HEDDLE_CLUSTER: grown }
    const other = await installation.run('restore', '--yes')
    assert.equal(other.code, 1)
    assert.match(other.stderr, /generations 1, 1, those of the cluster of 1, 2/)
    installation.environment = environment
  })

  await context.check('a restore replaces the data of both shards and keeps the previous', async () => {
    const refused = await installation.run('restore')
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /--yes/)
    // As a restore leaves it that is killed between the shards.
    await shards.execute('CREATE DATABASE heddle_restoring')
    const interrupted = await installation.run('users', 'list')
    assert.equal(interrupted.code, 1)
    assert.match(interrupted.stderr, /restore --yes/)
    const { previous } = await installation.json<{ previous: string }>('restore', '--yes')
    assert.deepEqual(await shards.checksums(), checksums)
    const count = `SELECT count() AS n FROM system.databases WHERE name = '${previous}'`
    assert.deepEqual(
      (await shards.query<{ n: number }>(count)).map(([row]) => Number(row?.n)),
      [1, 1],
    )
    assert.equal((await installation.run('restore', '--drop', previous)).code, 0)
    assert.deepEqual(
      (await shards.query<{ n: number }>(count)).map(([row]) => Number(row?.n)),
      [0, 0],
    )
  })

  await context.check('verify reads all shards, and prune deletes them', async () => {
    assert.equal((await installation.run('backups', 'verify', '--restore')).code, 0)
    const manifest = await readManifest(full?.id ?? '')
    const damaged = storedFiles(manifest).find(({ path }) =>
      /shard-2\/data\/heddle\/calls\/.*\.bin/.test(path),
    )
    const file = join(target, damaged?.path ?? '')
    const bytes = await readFile(file)
    await writeFile(file, Buffer.alloc(bytes.length))
    const { code, stderr } = await installation.run('backups', 'verify')
    assert.equal(code, 1)
    assert.ok(stderr.includes(`${damaged?.path} has changed`), stderr)
    const next = await installation.json<BackupSummary>('backup', '--full')
    await installation.json('backups', 'prune', '--keep', '1', '--incomplete-hours', '0')
    assert.deepEqual((await readdir(target)).toSorted(), [next.id, `${next.id}.json`])
  })

  await context.check('a server of a cluster makes scheduled backups', async () => {
    await rm(target, { recursive: true })
    const { environment } = installation
    installation.environment = { ...environment, HEDDLE_BACKUP_EVERY_MINUTES: '60' }
    await installation.start()
    await waitUntil(async () => (await list()).some(({ status }) => status === 'complete'), 60_000)
    await installation.stop()
  })
}
