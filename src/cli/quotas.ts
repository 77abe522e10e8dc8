import { clearQuota, setQuota } from '../service/access/quota-admin.ts'
import { listQuotas } from '../store/access/quotas.ts'
import { type Arguments, type Command, JSON_OPTION, STORAGE_OPTIONS, UsageError } from './command.ts'
import { printRows } from './listing.ts'
import { withStorage } from './storage.ts'

/** `heddle quotas`: what one key or one project may send, where that differs from the settings of the server. */
export const listQuotasCommand: Command = {
  usage: '[--json]',
  summary: 'List the keys and projects that have quotas of their own.',
  options: { ...STORAGE_OPTIONS, ...JSON_OPTION },
  run: async (args, world) => {
    args.words()
    const quotas = await withStorage(args, world, (deps) => listQuotas(deps.db))
    const rows = quotas.map(({ subject, calls_per_second, bytes_per_second }) => ({
      subject,
      calls_per_second: shown(calls_per_second),
      bytes_per_second: shown(bytes_per_second),
    }))
    printRows(rows, ['subject', 'calls_per_second', 'bytes_per_second'], args, world)
  },
}

export const setQuotaCommand: Command = {
  usage: '<key_id | entity/project> [--calls-per-second N] [--bytes-per-second N]',
  summary:
    'Give a key or a project a quota of its own: 0 is no limit, what is not named is as the settings say.',
  options: {
    ...STORAGE_OPTIONS,
    'calls-per-second': { type: 'string' },
    'bytes-per-second': { type: 'string' },
  },
  run: async (args, world) => {
    const [subject = ''] = args.words('key_id | entity/project')
    const calls_per_second = number(args, 'calls-per-second')
    const bytes_per_second = number(args, 'bytes-per-second')
    if (calls_per_second === null && bytes_per_second === null)
      throw new UsageError('--calls-per-second or --bytes-per-second is missing')
    await withStorage(args, world, (deps) => setQuota(deps, { subject, calls_per_second, bytes_per_second }))
    world.stderr.write(`${subject} has a quota of its own; servers know it within 10 s\n`)
  },
}

export const clearQuotaCommand: Command = {
  usage: '<key_id | entity/project>',
  summary: 'Take the quota of its own away from a key or a project.',
  options: STORAGE_OPTIONS,
  run: async (args, world) => {
    const [subject = ''] = args.words('key_id | entity/project')
    await withStorage(args, world, (deps) => clearQuota(deps, subject))
    world.stderr.write(`the settings hold for ${subject}; servers know it within 10 s\n`)
  },
}

function number(args: Arguments, name: string): number | null {
  const text = args.text(name)
  if (text === undefined) return null
  // Bytes a second may be more than `integer` takes.
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`--${name} must be a whole number, not "${text}"`)
  return Number(text)
}

function shown(value: number | null): string {
  if (value === null) return 'default'
  return value === 0 ? 'no limit' : String(value)
}
