import { userInfo } from 'node:os'
import {
  formatAge,
  isUnlimited,
  NO_RETENTION,
  parseAge,
  parseBytes,
  type RetentionPolicy,
} from '../core/retention/retention-policy.ts'
import { unknownProject } from '../core/text/unknown-project.ts'
import type { Deps } from '../service/deps.ts'
import { previewRetention, setPolicy } from '../service/retention/retention.ts'
import { RetentionJob } from '../service/retention/retention-job.ts'
import { listProjects } from '../store/access/projects.ts'
import { findPolicy, listPolicies } from '../store/retention/policies.ts'
import { type Arguments, type Command, JSON_OPTION, STORAGE_OPTIONS, UsageError } from './command.ts'
import { withStorage } from './storage.ts'
import { printTable } from './table.ts'

/** `heddle retention`: how long the calls of projects are kept (docs/retention.md). */

const POLICY_OPTIONS = {
  'calls-age': { type: 'string' },
  'calls-bytes': { type: 'string' },
  'payloads-age': { type: 'string' },
  'payloads-bytes': { type: 'string' },
  'keep-tags': { type: 'string' },
} as const

const POLICY_USAGE =
  '[--calls-age 90d] [--calls-bytes 500GB] [--payloads-age 30d] [--payloads-bytes 100GB] [--keep-tags a,b]'

export const showRetentionCommand: Command = {
  usage: '[--json]',
  summary: 'List the retention policies of projects.',
  options: { ...STORAGE_OPTIONS, ...JSON_OPTION },
  run: async (args, environment) => {
    args.positionals()
    const policies = await withStorage(args, environment, (deps) => listPolicies(deps.db))
    const rows = policies.map((policy) => ({
      project_id: policy.project_id,
      calls_age: ageText(policy.calls_max_age_seconds),
      calls_bytes: bytesText(policy.calls_max_bytes),
      payloads_age: ageText(policy.payloads_max_age_seconds),
      payloads_bytes: bytesText(policy.payloads_max_bytes),
      keep_tags: policy.keep_tags.join(','),
      changed_by: policy.changed_by,
    }))
    const columns = [
      'project_id',
      'calls_age',
      'calls_bytes',
      'payloads_age',
      'payloads_bytes',
      'keep_tags',
      'changed_by',
    ] as const
    printTable(rows, columns, args, environment)
  },
}

export const setRetentionCommand: Command = {
  usage: `<entity/project> ${POLICY_USAGE}`,
  summary:
    'Set how long the calls of a project, or only their payloads, are kept. A limit that is omitted does not apply.',
  options: { ...STORAGE_OPTIONS, ...POLICY_OPTIONS },
  run: async (args, environment) => {
    const project_id = projectArgument(args)
    const policy = policyOptions(args)
    if (policy === undefined)
      throw new UsageError('set at least one limit; `heddle retention clear` removes all of them')
    await withStorage(args, environment, async (deps) => {
      await requireProject(deps, project_id)
      await setPolicy(deps, project_id, policy, operator())
    })
    environment.stderr.write(`set the retention of ${project_id}; the next run of retention applies it\n`)
  },
}

export const clearRetentionCommand: Command = {
  usage: '<entity/project>',
  summary: 'Remove the retention policy of a project: everything is kept.',
  options: STORAGE_OPTIONS,
  run: async (args, environment) => {
    const project_id = projectArgument(args)
    await withStorage(args, environment, (deps) => setPolicy(deps, project_id, NO_RETENTION, operator()))
    environment.stderr.write(`removed the retention policy of ${project_id}\n`)
  },
}

export const previewRetentionCommand: Command = {
  usage: `<entity/project> ${POLICY_USAGE} [--json]`,
  summary: 'Count what a policy would delete now. Without limits, that of the project.',
  options: { ...STORAGE_OPTIONS, ...JSON_OPTION, ...POLICY_OPTIONS },
  run: async (args, environment) => {
    const project_id = projectArgument(args)
    const given = policyOptions(args)
    const preview = await withStorage(args, environment, async (deps) => {
      await requireProject(deps, project_id)
      const policy = given ?? (await findPolicy(deps.db, project_id)) ?? NO_RETENTION
      return previewRetention(deps, project_id, policy)
    })
    const { calls, payloads, kept_calls } = preview
    const rows = [
      {
        deletes: 'calls',
        count: String(calls.count),
        bytes: String(calls.bytes),
        started_before: calls.before,
      },
      {
        deletes: 'payloads',
        count: String(payloads.count),
        bytes: String(payloads.bytes),
        started_before: payloads.before,
      },
      { deletes: 'nothing (kept)', count: String(kept_calls), bytes: '', started_before: null },
    ]
    printTable(rows, ['deletes', 'count', 'bytes', 'started_before'], args, environment)
  },
}

export const runRetentionCommand: Command = {
  usage: '',
  summary: 'Apply the retention policies of all projects now, instead of waiting for the server.',
  options: STORAGE_OPTIONS,
  run: async (args, environment) => {
    args.positionals()
    const run = await withStorage(args, environment, (deps) => {
      const onError = (error: unknown): void => {
        environment.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
      }
      const off = { intervalSeconds: 0, diskWarnPercent: 0, diskDeletePercent: 0 }
      return new RetentionJob(deps, { ...off, onError, onDiskWarning: () => {} }).run()
    })
    environment.stderr.write(
      run === undefined
        ? 'retention is running on another server\n'
        : `deleted ${run.calls} calls, and the payloads of ${run.payloads} more\n`,
    )
  },
}

function projectArgument(args: Arguments): string {
  const [project_id = ''] = args.positionals('entity/project')
  if (!/^[^/]+\/[^/]+$/.test(project_id)) throw new UsageError(`"${project_id}" must be entity/project`)
  return project_id
}

async function requireProject({ db }: Deps, project_id: string): Promise<void> {
  const known = (await listProjects(db)).map((row) => row.project_id)
  if (!known.includes(project_id)) throw new Error(unknownProject(project_id, known))
}

/** The operating system's user: commands need no account of Heddle. */
export function operator(): string {
  return userInfo().username
}

/** Undefined without a limit. */
function policyOptions(args: Arguments): RetentionPolicy | undefined {
  const age = (name: string): number | null => parsed(args, name, parseAge, 'an age such as 30d, 12h or 5m')
  const bytes = (name: string): number | null => parsed(args, name, parseBytes, 'bytes such as 500GB')
  const policy = {
    calls_max_age_seconds: age('calls-age'),
    calls_max_bytes: bytes('calls-bytes'),
    payloads_max_age_seconds: age('payloads-age'),
    payloads_max_bytes: bytes('payloads-bytes'),
    keep_tags: (args.text('keep-tags') ?? '').split(',').filter((tag) => tag !== ''),
  }
  return isUnlimited(policy) ? undefined : policy
}

function parsed(args: Arguments, name: string, parse: (text: string) => number | undefined, form: string) {
  const text = args.text(name)
  if (text === undefined) return null
  const value = parse(text)
  if (value === undefined) throw new UsageError(`--${name} must be ${form}, not "${text}"`)
  return value
}

function ageText(seconds: number | null): string {
  return seconds === null ? 'no limit' : formatAge(seconds)
}

function bytesText(bytes: number | null): string {
  return bytes === null ? 'no limit' : String(bytes)
}
