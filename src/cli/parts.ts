import {
  dropDetachedPart,
  isLost,
  listDetachedPartFiles,
  listDetachedParts,
  partName,
} from '../store/database/detached-parts.ts'
import { readEveryServer } from '../store/database/every-server.ts'
import { type Command, JSON_OPTION, STORAGE_OPTIONS, UsageError } from './command.ts'
import { withStorage } from './storage.ts'
import { printTable } from './table.ts'

/** `heddle parts`: lists the detached parts of ClickHouse, and deletes those whose loss is accepted. */
export const listPartsCommand: Command = {
  usage: '[--json]',
  summary: 'List detached parts: data on disk that ClickHouse could not load, or that was detached by hand.',
  options: { ...STORAGE_OPTIONS, ...JSON_OPTION },
  run: async (args, environment) => {
    args.positionals()
    const parts = await withStorage(args, environment, ({ db }) => readEveryServer(db, listDetachedPartFiles))
    const rows = parts.map((part) => ({
      part: partName(part),
      reason: part.reason,
      data_lost: isLost(part),
      bytes: part.bytes,
      modified_at: part.modified_at,
      path: part.path,
    }))
    printTable(rows, ['part', 'reason', 'data_lost', 'bytes', 'modified_at', 'path'], args, environment)
  },
}

export const dropPartsCommand: Command = {
  usage: '<table/part> | --all',
  summary:
    'Delete the files of a detached part, or of all with lost data (--all). This accepts the loss; it cannot be undone.',
  options: { ...STORAGE_OPTIONS, all: { type: 'boolean' } },
  run: async (args, environment) => {
    const all = args.flag('all')
    const [chosen = ''] = all ? args.positionals() : args.positionals('table/part')
    const dropped = await withStorage(args, environment, async ({ db }) => {
      const parts = (await readEveryServer(db, listDetachedParts)).filter((part) =>
        all ? isLost(part) : partName(part) === chosen,
      )
      for (const part of parts) await dropDetachedPart(db, part)
      return parts
    })
    if (!all && dropped.length === 0)
      throw new UsageError(`there is no detached part "${chosen}"; \`heddle parts list\` prints their names`)
    for (const part of dropped) environment.stderr.write(`deleted the detached part ${partName(part)}\n`)
    if (dropped.length === 0) environment.stderr.write('there are no detached parts with lost data\n')
  },
}
