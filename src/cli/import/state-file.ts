import { join } from 'node:path'
import type { Settings } from '../../app/settings.ts'
import { refuseOtherOwner } from '../../clickhouse/data-owner.ts'
import type { Arguments } from '../command.ts'

/** The file with the journal of an import: as given, or in the data directory, which must belong to the current user. */
export async function stateFile(args: Arguments, settings: Settings, name: string): Promise<string> {
  const given = args.text('state')
  if (given !== undefined) return given
  await refuseOtherOwner(settings.dataDirectory)
  return join(settings.dataDirectory, 'import', name)
}
