import { createDeps } from '../app/deps.ts'
import { createLog } from '../app/log.ts'
import type { Settings } from '../app/settings.ts'
import { joinStorage } from '../app/storage.ts'
import type { BackupManifest } from '../core/backup/manifest.ts'
import type { BackupTarget } from '../service/backup/backup-target.ts'
import type { RestoreOptions } from '../service/backup/restore-backup.ts'
import { type RestoredProject, restoreProject } from '../service/backup/restore-project.ts'
import { listErasuresSince } from '../service/retention/erasure.ts'
import { previewRetention } from '../service/retention/retention.ts'
import { findPolicy } from '../store/retention/policies.ts'
import { withCliCommand } from './cli-command.ts'
import { type Arguments, type Environment, UsageError } from './command.ts'

/** `heddle restore --project`: restores one project beside the others, also while servers run. */
export async function restoreOneProject(
  args: Arguments,
  environment: Environment,
  settings: Settings,
  target: BackupTarget,
  chain: readonly [BackupManifest, ...BackupManifest[]],
  options: RestoreOptions,
): Promise<void> {
  const project_id = args.text('project') ?? ''
  if (!/^[^/]+\/[^/]+$/.test(project_id))
    throw new UsageError(`--project must be entity/project, not "${project_id}"`)
  if (args.text('into') !== undefined) throw new UsageError('use --project or --into, not both')
  const [{ id, started_at }] = chain
  const startedMs = performance.now()
  const storage = await joinStorage(settings, createLog(settings))
  try {
    const deps = createDeps(storage.db, settings)
    const erasures = await listErasuresSince(deps.db, project_id, started_at)
    if (erasures.length > 0 && !args.flag('yes'))
      throw new Error(
        withCliCommand(
          `${erasures.length === 1 ? 'an erasure was' : `${erasures.length} erasures were`} made since backup ${id}, and this restore may bring back what was erased: see \`heddle erasures list --json\`, repeat the restore with --yes, and then the erasures`,
        ),
      )
    const restored = await restoreProject(deps, target, chain, {
      ...options,
      project_id,
      merges: args.flag('merge'),
    })
    const policy = await findPolicy(deps.db, project_id)
    const expired = policy && (await previewRetention(deps, project_id, policy))
    const result = {
      id,
      project_id,
      ...restored,
      erasures: erasures.map(({ erasure_id }) => erasure_id),
      expired_calls: expired?.calls.count ?? 0,
      expired_payloads: expired?.payloads.count ?? 0,
      seconds: Number(((performance.now() - startedMs) / 1000).toFixed(1)),
    }
    if (args.flag('json')) environment.stdout.write(`${JSON.stringify(result)}\n`)
    else for (const line of report(result)) environment.stderr.write(`${withCliCommand(line)}\n`)
  } finally {
    await storage.close()
  }
}

interface Result extends RestoredProject {
  readonly id: string
  readonly project_id: string
  readonly erasures: readonly string[]
  readonly expired_calls: number
  readonly expired_payloads: number
  readonly seconds: number
}

function report(result: Result): string[] {
  const { id, project_id, rows, changed_calls, lost_roles, lost_quota, seconds } = result
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
  const lines = [
    `restored the project ${project_id} from backup ${id}: ${rows.calls ?? 0} calls, ${total} rows in ${seconds} s`,
  ]
  if (changed_calls > 0)
    lines.push(`${changed_calls} calls have later records too; the last acknowledged ones are shown`)
  if (result.expired_calls + result.expired_payloads > 0)
    lines.push(
      `the retention policy of the project will delete ${result.expired_calls} calls, and the payloads of ${result.expired_payloads}; to keep them, change it with \`heddle retention set ${project_id}\` and repeat the restore if they are gone`,
    )
  if (result.erasures.length > 0)
    lines.push(`repeat the erasures that were made since the backup: ${result.erasures.join(', ')}`)
  if (lost_roles.length > 0) lines.push('roles are not restored; to grant them again:')
  for (const { username, role } of lost_roles)
    lines.push(`  heddle projects grant ${project_id} ${username} ${role}`)
  if (lost_quota !== null) lines.push(`the quota is not restored: ${JSON.stringify(lost_quota)}`)
  return lines
}
