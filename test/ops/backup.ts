import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupManifest } from '../../src/core/backup/manifest.ts'
import { startExternalClickHouse } from '../../scripts/external-clickhouse.ts'
import { post, PROJECT, send, type Server } from '../import/api.ts'
import { readContents } from '../import/contents.ts'
import { seed, type SeededDigests } from '../import/seed.ts'
import { type CliResult, runCli } from '../run-cli.ts'
import { type ServerProcess, startServerProcess } from '../server-process.ts'
import { waitUntil } from '../wait-until.ts'
import { embeddedAccess, query, tableChecksums } from './backup/checksums.ts'
import { CallLoad } from './backup/load.ts'
import { startMoto } from './backup/moto.ts'
import type { OpsContext, OpsSuite } from './suite.ts'

/**
 * Backups under load, incremental, interrupted, damaged and pruned, restored after the data is gone, and compared row by
 * row: to a directory, to S3-compatible storage, and with an external ClickHouse.
 */
export const backup: OpsSuite = { name: 'backup', minutes: 1.5, run }

const API_KEY = 'hd_the-key-of-the-admin-of-the-suite-of-backups-0'

async function run(context: OpsContext): Promise<void> {
  const calls = context.isLong ? 200_000 : 8_000
  const embedded = new Installation(join(context.directory, 'data'), {
    HEDDLE_BACKUP_TARGET: join(context.directory, 'backups'),
  })
  try {
    await embedded.start()
    const seeded = await seed(embedded.server, calls, calls / 20)
    await testDirectory(context, embedded, seeded)
    await testS3(context, embedded)
  } finally {
    await embedded.kill()
  }
  await testExternal(context)
}

/** A server process with its data directory, and commands with the same settings. */
class Installation {
  readonly data: string
  environment: Record<string, string>
  #process: ServerProcess | undefined

  constructor(data: string, environment: Record<string, string>) {
    this.data = data
    this.environment = environment
  }

  async start(): Promise<void> {
    this.#process = await startServerProcess({
      data: this.data,
      adminPassword: API_KEY,
      apiKey: API_KEY,
      command: [process.execPath, 'dist/main.js'],
      environment: this.environment,
    })
  }

  get server(): Server {
    return { url: this.#process?.url ?? '', key: API_KEY }
  }

  async stop(): Promise<void> {
    await this.#process?.stop()
  }

  /** Kills Heddle and its ClickHouse. */
  async kill(): Promise<void> {
    const file = join(this.data, 'clickhouse.json')
    const { pid } = existsSync(file)
      ? (JSON.parse(await readFile(file, 'utf8')) as { pid: number })
      : { pid: 0 }
    if (pid !== 0) killIfAlive(pid)
    await this.#process?.kill()
    await waitUntil(() => pid === 0 || !isAlive(pid))
  }

  async run(...args: readonly string[]): Promise<CliResult> {
    return runCli(args, { env: { ...process.env, HEDDLE_DATA: this.data, ...this.environment } })
  }

  /** The last line of a command with `--json`; the command must succeed. */
  async json<T>(...args: readonly string[]): Promise<T> {
    const { code, stdout, stderr } = await this.run(...args, '--json')
    assert.equal(code, 0, `heddle ${args.join(' ')}: ${stderr}`)
    return JSON.parse(stdout.startsWith('[') ? stdout : (stdout.trim().split('\n').at(-1) ?? '')) as T
  }

  spawn(...args: readonly string[]): ChildProcess {
    return spawn(process.execPath, ['dist/main.js', ...args], {
      stdio: 'ignore',
      env: { ...process.env, HEDDLE_DATA: this.data, HEDDLE_LOG_LEVEL: 'error', ...this.environment },
    })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function killIfAlive(pid: number): void {
  if (isAlive(pid)) process.kill(pid, 'SIGKILL')
}

interface BackupSummary {
  readonly id: string
  readonly base_id: string | null
  readonly rows: number
  readonly bytes: number
  readonly seconds: number
}

interface ListedBackup {
  readonly id: string
  readonly status: string
}

const describe = ({ rows, bytes, seconds }: BackupSummary): string =>
  `${rows} rows, ${(bytes / 1e6).toFixed(1)} MB in ${seconds} s`

async function testDirectory(
  context: OpsContext,
  installation: Installation,
  seeded: SeededDigests,
): Promise<void> {
  const { directory } = context
  const target = join(directory, 'backups')
  const list = (): Promise<ListedBackup[]> => installation.json('backups', 'list')
  let full: BackupSummary | undefined
  let acknowledgedBefore: readonly string[] = []
  await context.check('a backup under load', async () => {
    const load = new CallLoad(installation.server)
    load.start()
    await waitUntil(() => load.acknowledged.size >= 200)
    acknowledgedBefore = [...load.acknowledged]
    full = await installation.json<BackupSummary>('backup')
    await load.stop()
    assert.equal(full.base_id, null)
    assert.ok(load.acknowledged.size > acknowledgedBefore.length, 'nothing was written meanwhile')
    console.log(`      full: ${describe(full)}; ${load.acknowledged.size} calls written around it`)
  })

  await post(installation.server, '/obj/create', {
    obj: { project_id: PROJECT, object_id: 'after-the-full-backup', val: { answer: 42 } },
  })
  assert.equal((await installation.run('users', 'create', 'somebody', '--no-password')).code, 0)
  const contents = await readContents(installation.server, seeded)
  let incremental: BackupSummary | undefined
  await context.check('an incremental backup stores only what is new', async () => {
    incremental = await installation.json<BackupSummary>('backup')
    assert.equal(incremental.base_id, full?.id)
    assert.ok(incremental.bytes < (full?.bytes ?? 0), `${incremental.bytes} bytes`)
    console.log(`      incremental: ${describe(incremental)}`)
  })
  const checksums = await tableChecksums(await embeddedAccess(installation.data))

  await context.check(
    'a backup whose command is killed is incomplete, and earlier ones are intact',
    async () => {
      const known = (await list()).length
      const command = installation.spawn('backup', '--full')
      await waitUntil(
        async () => (await readdir(target)).filter((name) => name.endsWith('.started')).length > 0,
      )
      command.kill('SIGKILL')
      await once(command, 'exit')
      const listed = await list()
      assert.equal(listed.length, known + 1)
      assert.equal(listed.at(-1)?.status, 'incomplete')
      assert.equal((await installation.run('backups', 'verify')).code, 0)
    },
  )
  await context.check(
    'a backup whose ClickHouse is killed is incomplete, and earlier ones are intact',
    async () => {
      const known = new Set((await list()).map(({ id }) => id))
      const command = installation.spawn('backup', '--full')
      const exited = once(command, 'exit') as Promise<[number | null]>
      await waitUntil(async () =>
        (await readdir(target)).some((name) => !name.includes('.') && !known.has(name)),
      )
      await installation.kill()
      assert.equal((await exited)[0], 1)
      const listed = await list()
      assert.equal(listed.at(-1)?.status, 'incomplete')
      assert.equal((await installation.run('backups', 'verify', incremental?.id ?? '')).code, 0)
    },
  )

  await context.check('after the data directory is gone, a restore brings back every record', async () => {
    await rm(installation.data, { recursive: true, force: true })
    const restored = await installation.json<{ rows: number; seconds: number }>('restore')
    console.log(`      restored ${restored.rows} rows in ${restored.seconds} s`)
    assert.equal(restored.rows, incremental?.rows)
    await installation.start()
    assert.deepEqual(await tableChecksums(await embeddedAccess(installation.data)), checksums)
    const again = await readContents(installation.server, seeded)
    assert.deepEqual(
      [...again].filter(([name, hash]) => contents.get(name) !== hash),
      [],
    )
    assert.equal(again.size, contents.size)
    console.log(`      ${again.size} records and ${Object.keys(checksums).length} tables compared`)
  })
  await context.check('a restored server writes and reads calls by id', async () => {
    const load = new CallLoad(installation.server)
    load.start()
    await waitUntil(() => load.acknowledged.size >= 100)
    await load.stop()
    await assertReadable(installation.server, [...load.acknowledged])
  })

  await context.check('what was acknowledged before a backup under load began is in it', async () => {
    const { code, stderr } = await installation.run('restore', full?.id ?? '', '--into', 'under_load')
    assert.equal(code, 0, stderr)
    await installation.stop()
    installation.environment = { ...installation.environment, HEDDLE_CLICKHOUSE_DATABASE: 'under_load' }
    await installation.start()
    await assertReadable(installation.server, acknowledgedBefore)
    const access = await embeddedAccess(installation.data)
    const differences = await query<{ missing: string }>(
      access,
      `SELECT toString(count()) AS missing FROM (
        SELECT project_id, id, is_part FROM (SELECT project_id, id, 0 AS is_part FROM under_load.calls
          UNION DISTINCT SELECT project_id, id, 1 AS is_part FROM under_load.call_parts)
        EXCEPT SELECT project_id, id, is_part FROM under_load.call_ids)`,
    )
    assert.equal(differences[0]?.missing, '0')
    await installation.stop()
    const { HEDDLE_CLICKHOUSE_DATABASE: _, ...environment } = installation.environment
    installation.environment = environment
    await installation.start()
  })

  await context.check('a restore replaces data only when asked to, and keeps the previous data', async () => {
    const running = await installation.run('restore')
    assert.equal(running.code, 1)
    assert.match(running.stderr, /stop the server/)
    await installation.stop()
    const refused = await installation.run('restore')
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /--yes/)
    const { previous } = await installation.json<{ previous: string }>('restore', '--yes')
    assert.equal((await installation.run('restore', '--drop', 'heddle')).code, 1)
    assert.equal((await installation.run('restore', '--drop', previous)).code, 0)
    await installation.start()
    assert.deepEqual(await tableChecksums(await embeddedAccess(installation.data)), checksums)
  })

  await context.check('prune keeps what the latest backup builds on', async () => {
    const deleted = await installation.json<ListedBackup[]>(
      'backups',
      'prune',
      '--keep',
      '1',
      '--incomplete-hours',
      '0',
    )
    assert.equal(deleted.length, 2)
    assert.deepEqual(
      (await list()).map(({ id }) => id),
      [full?.id, incremental?.id],
    )
    assert.equal((await installation.run('backups', 'verify', '--restore')).code, 0)
  })

  await context.check(
    'verify finds a flipped byte and a missing file, and restore refuses them',
    async () => {
      const manifest = JSON.parse(await readFile(join(target, `${full?.id}.json`), 'utf8')) as BackupManifest
      const [damaged] = manifest.files.filter(({ path }) =>
        /\/calls\/.*data\.bin|\/calls\/.*inputs\.bin/.test(path),
      )
      const file = join(target, manifest.id, damaged?.path ?? '')
      const bytes = await readFile(file)
      const flipped = Buffer.from(bytes)
      flipped[bytes.length >> 1]! ^= 1
      await writeFile(file, flipped)
      const verified = await installation.run('backups', 'verify')
      assert.equal(verified.code, 1)
      assert.ok(verified.stderr.includes(`${manifest.id}/${damaged?.path} has changed`), verified.stderr)
      assert.equal((await installation.run('restore', '--into', 'damaged')).code, 1)
      await rm(file)
      const missing = await installation.run('backups', 'verify')
      assert.equal(missing.code, 1)
      assert.ok(missing.stderr.includes(`${manifest.id}/${damaged?.path} is missing`), missing.stderr)
      await writeFile(file, bytes)
      assert.equal((await installation.run('backups', 'verify')).code, 0)
    },
  )

  await context.check('a backup of a newer schema is refused', async () => {
    const file = join(target, `${incremental?.id}.json`)
    const text = await readFile(file, 'utf8')
    const manifest = JSON.parse(text) as BackupManifest
    const schema = [...manifest.schema, { version: 9_999, checksum: 'unknown' }]
    await writeFile(file, JSON.stringify({ ...manifest, schema }))
    const { code, stderr } = await installation.run('restore', '--into', 'newer')
    assert.equal(code, 1)
    assert.match(stderr, /schema version 9999/)
    await writeFile(file, text)
  })

  await context.check('a new chain makes the old one superfluous', async () => {
    const { id } = await installation.json<BackupSummary>('backup', '--full')
    await installation.json('backups', 'prune', '--keep', '1')
    assert.deepEqual(
      (await list()).map((listed) => listed.id),
      [id],
    )
    assert.deepEqual((await readdir(target)).toSorted(), [id, `${id}.json`])
  })
}

const MAX_READS_BY_ID = 80

/** The list of calls has every one of them, and calls are returned complete by their ids. */
async function assertReadable(server: Server, ids: readonly string[]): Promise<void> {
  const listed = new Set<string>()
  const filter = { op_names: ['load'] }
  const body = { project_id: PROJECT, filter, columns: ['id'], limit: 1_000_000 }
  for (const line of (await (await send(server, '/calls/stream_query', JSON.stringify(body))).text()).split(
    '\n',
  ))
    if (line !== '') listed.add((JSON.parse(line) as { id: string }).id)
  assert.deepEqual(
    ids.filter((id) => !listed.has(id)),
    [],
    'missing in the list',
  )
  for (const id of ids.slice(-MAX_READS_BY_ID)) {
    const { call } = await post<{ call: { inputs?: object; output?: object } | null }>(server, '/call/read', {
      id,
    })
    assert.deepEqual([call?.inputs, call?.output], [{ text: `question ${id}` }, { text: `answer ${id}` }])
  }
}

async function testS3(context: OpsContext, installation: Installation): Promise<void> {
  const bucket = 'heddle-backups'
  const s3 = await startMoto(bucket)
  try {
    installation.environment = {
      HEDDLE_BACKUP_TARGET: `s3://${bucket}/some/prefix`,
      HEDDLE_BACKUP_S3_ENDPOINT: s3.url,
      HEDDLE_BACKUP_S3_ACCESS_KEY_ID: 'access',
      HEDDLE_BACKUP_S3_SECRET_ACCESS_KEY: 'secret<&>',
    }
    await context.check('a server that was not started with the S3 target says so', async () => {
      const { code, stderr } = await installation.run('backup')
      assert.equal(code, 1)
      assert.match(stderr, /restart the server/)
      await installation.json('backups', 'prune', '--keep', '1', '--incomplete-hours', '0')
    })
    await installation.stop()
    await installation.start()
    await context.check('full and incremental backups to S3', async () => {
      const full = await installation.json<BackupSummary>('backup')
      await post(installation.server, '/obj/create', {
        obj: { project_id: PROJECT, object_id: 'after-the-full-backup-to-s3', val: {} },
      })
      const incremental = await installation.json<BackupSummary>('backup')
      assert.equal(incremental.base_id, full.id)
      assert.ok(incremental.bytes < full.bytes)
      console.log(`      full: ${describe(full)}; incremental: ${describe(incremental)}`)
    })
    const checksums = await tableChecksums(await embeddedAccess(installation.data))
    await installation.kill()
    await context.check('a restore from S3 brings back every record', async () => {
      await rm(installation.data, { recursive: true, force: true })
      const { seconds } = await installation.json<{ seconds: number }>('restore')
      console.log(`      restored in ${seconds} s`)
      await installation.start()
      assert.deepEqual(await tableChecksums(await embeddedAccess(installation.data)), checksums)
    })
    await context.check('verify finds a changed and a missing object in S3', async () => {
      assert.equal((await installation.run('backups', 'verify')).code, 0)
      const [first] = await installation.json<ListedBackup[]>('backups', 'list')
      const prefix = `some/prefix/${first?.id}/data/heddle/calls/`
      const listing = await (await fetch(`${s3.url}/${bucket}?list-type=2&prefix=${prefix}`)).text()
      const url = `${s3.url}/${bucket}/${/<Key>([^<]*data\.bin)<\/Key>/.exec(listing)?.[1]}`
      const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
      bytes[bytes.length >> 1]! ^= 1
      await fetch(url, { method: 'PUT', body: bytes })
      assert.match((await installation.run('backups', 'verify')).stderr, /has changed/)
      await fetch(url, { method: 'DELETE' })
      assert.match((await installation.run('backups', 'verify')).stderr, /is missing/)
    })
    await context.check('prune deletes from S3', async () => {
      await installation.json('backup', '--full')
      const deleted = await installation.json<ListedBackup[]>('backups', 'prune', '--keep', '1')
      assert.equal(deleted.length, 2)
      const listing = await (await fetch(`${s3.url}/${bucket}?list-type=2`)).text()
      for (const { id } of deleted) assert.ok(!listing.includes(id), id)
      assert.equal((await installation.run('backups', 'verify')).code, 0)
    })
  } finally {
    await installation.stop()
    await s3.stop()
  }
}

async function testExternal(context: OpsContext): Promise<void> {
  const { directory } = context
  const target = join(directory, 'external-backups')
  const clickhouse = await startExternalClickHouse(join(directory, 'external'), undefined, 'inherit', target)
  const access = { url: clickhouse.url, username: 'default', password: '' }
  const installation = new Installation(join(directory, 'unused'), {
    HEDDLE_CLICKHOUSE_URL: clickhouse.url,
    HEDDLE_BACKUP_TARGET: target,
    HEDDLE_BACKUP_DISK: 'backups',
  })
  try {
    await context.check('an external ClickHouse is backed up and restored by the same commands', async () => {
      await installation.start()
      await seed(installation.server, 500, 50)
      await installation.json('backup')
      await installation.json('backup')
      const checksums = await tableChecksums(access)
      await installation.stop()
      const dropped = await fetch(clickhouse.url, { method: 'POST', body: 'DROP DATABASE heddle SYNC' })
      assert.equal(dropped.status, 200)
      await installation.json('restore')
      assert.deepEqual(await tableChecksums(access), checksums)
      assert.equal((await installation.run('backups', 'verify', '--restore')).code, 0)
    })
  } finally {
    await installation.stop()
    await clickhouse.stop()
  }
}
