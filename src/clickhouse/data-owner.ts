import { lstat, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Who owns a data directory: a start as somebody else leaves files in it that its owner cannot read. */

/** What ClickHouse stores, and what is created first. A mounted volume may belong to root and be writable for a group. */
const DATA_ENTRIES = ['clickhouse', 'lock']
const ROOT = 0

/** Throws if the data belongs to another user than that of this process. Creates and changes nothing. */
export async function refuseOtherOwner(directory: string): Promise<void> {
  const user = process.geteuid?.()
  if (user === undefined) return
  const owner = await findOwner(directory, user)
  if (owner === undefined || owner === user) return
  const [ownerName, userName] = [await describeUser(owner), await describeUser(user)]
  throw new Error(
    `permission denied: the data directory ${directory} belongs to ${ownerName.text}, but this command runs as ${userName.text}; put \`sudo -u ${ownerName.name}\` before it, or change the owner with \`chown -R ${userName.name} ${directory}\` while no server uses it`,
  )
}

/** A data directory with a month of calls has some ten thousand. */
const MAX_EXAMINED = 200_000

/** The first file or directory in it that belongs to another user; for root, none that matters. */
export async function findEntryOfOthers(
  directory: string,
): Promise<{ readonly path: string; readonly uid: number } | undefined> {
  const user = process.geteuid?.() ?? ROOT
  if (user === ROOT) return undefined
  const directories = [directory]
  let examined = 0
  for (let path = directories.pop(); path !== undefined; path = directories.pop()) {
    const entries = await readdir(path, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      if (++examined > MAX_EXAMINED) return undefined
      const own = join(path, entry.name)
      const uid = (await lstat(own).catch(() => undefined))?.uid ?? user
      if (uid !== user) return { path: own, uid }
      if (entry.isDirectory()) directories.push(own)
    }
  }
  return undefined
}

/** Undefined if there is nothing yet that belongs to anybody. */
async function findOwner(directory: string, user: number): Promise<number | undefined> {
  const own = await findUid(directory)
  if (own === undefined) return undefined
  try {
    for (const name of DATA_ENTRIES) {
      const uid = await findUid(join(directory, name))
      if (uid !== undefined) return uid
    }
  } catch {
    return own
  }
  return own === ROOT && user !== ROOT ? undefined : own
}

/** Undefined if the path does not exist. */
async function findUid(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).uid
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Node knows the name of the current user only. */
export async function describeUser(uid: number): Promise<{ readonly name: string; readonly text: string }> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const name = users
    .split('\n')
    .map((line) => line.split(':'))
    .find((fields) => fields[2] === String(uid))?.[0]
  return name === undefined
    ? { name: `'#${uid}'`, text: `the user with the id ${uid}` }
    : { name, text: `the user ${name} (id ${uid})` }
}
