import { isPreRelease, PRE_RELEASE, readApplied, readMigrations } from '../../store/database/migrations.ts'
import { databaseCheck, ok, problem, warning } from './check.ts'

/** The schema of the database against the migrations of this Heddle. */
export const migrationsCheck = databaseCheck('migrations', async (db, { server }) => {
  const known = await readMigrations()
  const rows = await readApplied(db)
  if (isPreRelease(rows, known)) return [problem(`the database ${PRE_RELEASE.fact}`, PRE_RELEASE.remedy)]
  const applied = new Map(rows.map((row) => [row.version, row.checksum]))
  const newest = Math.max(0, ...applied.keys())
  const newestKnown = Math.max(0, ...known.map(({ version }) => version))
  if (newest > newestKnown)
    return [
      problem(
        `the database has schema version ${newest}, but this Heddle knows only ${newestKnown}`,
        'run the newer Heddle that migrated the database, or restore a backup from before',
      ),
    ]
  const changed = known.filter(({ version, checksum }) => (applied.get(version) ?? checksum) !== checksum)
  if (changed.length > 0)
    return changed.map(({ name }) =>
      problem(
        `the migration ${name} was applied with other contents`,
        'install a released version of Heddle; applied migrations never change',
      ),
    )
  const pending = known.filter(({ version }) => !applied.has(version)).map(({ name }) => name)
  if (pending.length === 0) return [ok(`the schema has version ${newest}; nothing is pending`)]
  const message = `migrations are pending: ${pending.join(', ')}`
  return [
    server === undefined
      ? warning(message, 'start the server or run `heddle migrate`, which apply them')
      : problem(message, 'restart the server with this version, or run `heddle migrate`'),
  ]
})
