import { createColumnExtractor } from '../app/deps.ts'
import { readChain } from '../core/backup/catalog.ts'
import { readCatalog } from '../service/backup/catalog.ts'
import {
  dropOnEveryServer,
  dropRestored,
  existsOnAnyServer,
  fillReplicatedDatabase,
  hasRowsOnAnyShard,
  replaceDatabase,
  requireEmptyDatabase,
  restoreNames,
} from '../service/backup/replace-database.ts'
import { checkSchema, restoreBackup } from '../service/backup/restore-backup.ts'
import { isCluster } from '../store/cluster/cluster-database.ts'
import { readMigrations } from '../store/database/migrations.ts'
import {
  abortSignal,
  BACKUP_OPTIONS,
  chosenBackup,
  readBackupSettings,
  withClickHouse,
} from './backup-target.ts'
import { type Command, UsageError } from './command.ts'
import { createProgress } from './import/progress.ts'
import { restoreOneProject } from './restore-project.ts'

/** `heddle restore`: restores a backup into a new database, and then replaces the one of the servers. */
export const restoreCommand: Command = {
  usage:
    '[ID] [--project entity/project [--merge]] [--yes] [--into DATABASE] [--drop DATABASE] [--target DIR|s3://BUCKET/PREFIX] [--json]',
  summary:
    'Restore a backup (default: the latest). Stop all servers first. Existing data is replaced only with --yes, and kept as another database, which --drop deletes. --into restores beside it. --project restores one project while servers run; --merge adds what is missing to a project with data.',
  options: {
    ...BACKUP_OPTIONS,
    yes: { type: 'boolean' },
    into: { type: 'string' },
    drop: { type: 'string' },
    project: { type: 'string' },
    merge: { type: 'boolean' },
  },
  run: async (args, environment) => {
    const { settings, target } = readBackupSettings(args, environment)
    const database = settings.clickhouseDatabase
    const dropped = args.text('drop')
    if (dropped !== undefined) {
      await withClickHouse(settings, ({ server }) => dropRestored(server, dropped))
      environment.stderr.write(`deleted the database "${dropped}"\n`)
      return
    }
    if (args.flag('merge') && args.text('project') === undefined)
      throw new UsageError('--merge needs --project')
    const catalog = await readCatalog(target)
    const id = chosenBackup(catalog, args.optional('ID'), target)
    const chain = readChain(catalog, id)
    const [manifest] = chain
    if (manifest === undefined) throw new Error(`there is no backup ${id}`)
    const migrations = await readMigrations()
    checkSchema(manifest, migrations)
    const into = args.text('into')
    const names = restoreNames(database, id)
    const progress = createProgress(environment, args.flag('json'), () => performance.now())
    const signal = abortSignal(environment)
    const options = { migrations, columns: createColumnExtractor(settings), progress, signal }
    if (args.text('project') !== undefined) {
      try {
        await restoreOneProject(args, environment, settings, target, [manifest, ...chain.slice(1)], options)
      } finally {
        progress.end()
      }
      return
    }
    const startedMs = performance.now()
    const result = await withClickHouse(settings, async ({ server, isInUse, connectTo }) => {
      const isReplicated = isCluster(server) && server.cluster.topology.replication !== undefined
      if (into === undefined && isInUse)
        throw new Error(
          'stop the server that uses this data directory first, or restore beside it with --into',
        )
      if (into === undefined && isReplicated) await requireEmptyDatabase(server, database)
      else if (into === undefined && !args.flag('yes') && (await hasRowsOnAnyShard(server, database)))
        throw new Error(
          `the database "${database}" contains data; stop all servers and repeat with --yes to replace it`,
        )
      if (into !== undefined && (await existsOnAnyServer(server, into)))
        throw new Error(`the database "${into}" exists; choose another name`)
      const restoredTo = into === undefined || isReplicated ? names.staging : into
      // Left by a restore that was interrupted.
      if (restoredTo !== into) await dropOnEveryServer(server, restoredTo)
      const restored = await restoreBackup(server, target, chain, restoredTo, options)
      progress.end()
      if (restoredTo === into) return { ...restored, previous: undefined }
      const db = connectTo(into ?? database)
      try {
        if (isCluster(db) && isReplicated) {
          await fillReplicatedDatabase(server, db, restoredTo, migrations)
          return { ...restored, database: db.name, previous: undefined }
        }
        const { previous } = await replaceDatabase(server, db, restoredTo, names.previous)
        return { ...restored, database, previous }
      } finally {
        await db.close()
      }
    })
    const seconds = Number(((performance.now() - startedMs) / 1000).toFixed(1))
    if (args.flag('json')) {
      environment.stdout.write(`${JSON.stringify({ id, ...result, seconds })}\n`)
      return
    }
    environment.stderr.write(
      `restored backup ${id} to the database "${result.database}": ${result.tables} tables, ${result.rows} rows in ${seconds} s\n`,
    )
    if (result.previous !== undefined)
      environment.stderr.write(
        `the previous data is in the database "${result.previous}"; delete it with \`heddle restore --drop ${result.previous}\`\n`,
      )
  },
}
