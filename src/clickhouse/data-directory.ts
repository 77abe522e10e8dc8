import { chmod, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The data directory of embedded ClickHouse. It contains all data and several secrets, so it is readable only by its owner. */

/** Names that Heddle gives to files in it (docs/operations/data.md). `lost+found` belongs to the file system. */
const OWN_ENTRY =
  /^(clickhouse|tmp|cwd|import|lock|credentials|clickhouse\.xml|clickhouse-users\.xml|clickhouse-listen\.sql|clickhouse\.json.*|server\.json|lost\+found)$/

const FOR_OTHERS = 0o077

/**
 * Removes the permissions of other users from the directory and from Heddle's files in it: they may have been created
 * by hand, restored from a backup or copied. A directory that contains something else may be needed by others (`/tmp`,
 * a home directory), so it keeps its mode. Calls `warn` if other users keep access.
 */
export async function restrictToOwner(directory: string, warn: (message: string) => void): Promise<void> {
  const entries = await readdir(directory)
  const own = entries.filter((name) => OWN_ENTRY.test(name) && name !== 'lost+found')
  for (const name of own) await restrict(join(directory, name), warn)
  const foreign = entries.find((name) => !OWN_ENTRY.test(name))
  if (foreign === undefined) await restrict(directory, warn)
  else if (await isOpenToOthers(directory))
    warn(
      `other users can list the data directory ${directory}; its mode was not changed, because it also contains "${foreign}"; use a directory of its own for the data, or change the mode to 700`,
    )
}

/** Creates a directory in the data directory. */
export async function createPrivateDirectory(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new Error(
      `${path} cannot be created: ${await reasonOf(error)}; choose another data directory with --data`,
      {
        cause: error,
      },
    )
  }
}

/** With `recursive`, Node reports ENOENT for a read-only file system. */
async function reasonOf(failure: unknown): Promise<string> {
  const { code, path } = failure as NodeJS.ErrnoException
  const again =
    code !== 'ENOENT' || path === undefined
      ? failure
      : await mkdir(path, { mode: 0o700 }).catch((other: unknown) => other)
  switch ((again as NodeJS.ErrnoException | undefined)?.code) {
    case 'EROFS':
      return 'the file system is read-only'
    case 'EACCES':
    case 'EPERM':
      return 'permission denied'
    default:
      return failure instanceof Error ? failure.message : String(failure)
  }
}

async function isOpenToOthers(path: string): Promise<boolean> {
  return ((await stat(path)).mode & FOR_OTHERS) !== 0
}

async function restrict(path: string, warn: (message: string) => void): Promise<void> {
  const { mode } = await stat(path)
  if ((mode & FOR_OTHERS) === 0) return
  try {
    await chmod(path, mode & 0o700)
  } catch {
    const octal = (mode & 0o777).toString(8)
    warn(
      `other users can read ${path} (mode ${octal}), and it belongs to another user; as its owner, run \`chmod go= ${path}\``,
    )
  }
}
