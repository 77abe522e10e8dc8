import assert from 'node:assert/strict'
import { appendFile, cp, mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** A target with a chain of three backups. */
interface DamagedTarget {
  readonly target: string
  readonly full: string
  readonly second: string
  readonly third: string
}

/** A file of a backup, the same one for the same backup. */
export async function findFile(directory: string, name: string): Promise<string> {
  const files = await findFiles(directory, name)
  assert.ok(files[0] !== undefined, `no ${name} in ${directory}`)
  return files[0]
}

async function findFiles(directory: string, name: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name === name)
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}

export async function changeByte(file: string): Promise<void> {
  const bytes = await readFile(file)
  bytes[bytes.length >> 1]! ^= 1
  await writeFile(file, bytes)
}

async function edit(file: string, from: string | RegExp, to: string): Promise<void> {
  const text = await readFile(file, 'utf8')
  const edited = text.replace(from, to)
  assert.notEqual(edited, text, `${file} does not have ${String(from)}`)
  await writeFile(file, edited)
}

async function swap(one: string, other: string): Promise<void> {
  await rename(one, `${one}.swapped`)
  await rename(other, one)
  await rename(`${one}.swapped`, other)
}

const data = (target: string, id: string): Promise<string> => findFile(join(target, id), 'data.bin')
const fileList = (target: string, id: string): string => join(target, id, '.backup')
const manifest = (target: string, id: string): string => join(target, `${id}.json`)

/** What can happen to a copy of a target. `backups verify` of its third backup finds each of them. */
export const DAMAGES: Readonly<Record<string, (at: DamagedTarget) => Promise<void>>> = {
  'a byte changed in the full backup': async ({ target, full }) => changeByte(await data(target, full)),
  'a byte changed in the second backup': async ({ target, second }) => changeByte(await data(target, second)),
  'a byte changed in the backup itself': async ({ target, third }) => changeByte(await data(target, third)),
  'a byte changed in the definition of a table': async ({ target, full }) =>
    changeByte(await findFile(join(target, full), 'calls.sql')),
  'a file deleted': async ({ target, full }) => rm(await data(target, full)),
  'a file truncated': async ({ target, second }) => truncate(await data(target, second), 10),
  'a file emptied': async ({ target, full }) => truncate(await data(target, full), 0),
  'a file that has become longer': async ({ target, full }) => appendFile(await data(target, full), 'x'),
  'a file filled with zeros': async ({ target, full }) => {
    const file = await data(target, full)
    await writeFile(file, Buffer.alloc((await readFile(file)).length))
  },
  'a file too many': async ({ target, second }) =>
    writeFile(join(target, second, 'data', 'heddle', 'extra.bin'), 'extra'),
  'a file renamed': async ({ target, full }) => {
    const file = await data(target, full)
    await rename(file, file.replace(basename(file), 'renamed.bin'))
  },
  'a file replaced by a directory': async ({ target, full }) => {
    const file = await data(target, full)
    await rm(file)
    await mkdir(file)
  },
  'a directory replaced by a file': async ({ target, second }) => {
    await rm(join(target, second, 'data'), { recursive: true })
    await writeFile(join(target, second, 'data'), '')
  },
  'two files swapped': async ({ target, full }) => {
    const [one, other] = await findFiles(join(target, full), 'data.bin')
    await swap(one ?? '', other ?? '')
  },
  'the data of the full backup missing': ({ target, full }) => rm(join(target, full), { recursive: true }),
  'the manifest of the full backup missing': ({ target, full }) => rm(manifest(target, full)),
  'the second backup missing': async ({ target, second }) => {
    await rm(join(target, second), { recursive: true })
    await rm(manifest(target, second))
  },
  'the data of two backups swapped': ({ target, second, third }) =>
    swap(join(target, second), join(target, third)),
  'the manifests of two backups swapped': ({ target, second, third }) =>
    swap(manifest(target, second), manifest(target, third)),
  'a list of files that names another base': ({ target, second, full }) =>
    edit(fileList(target, second), `/${full}')</base_backup>`, `/elsewhere')</base_backup>`),
  'a list of files without its base': ({ target, second }) =>
    edit(fileList(target, second), /<base_backup>.*<\/base_backup_uuid>/, ''),
  'a list of files truncated': async ({ target, third }) => truncate(fileList(target, third), 2_000),
  'the list of files of another backup': ({ target, second, third }) =>
    cp(fileList(target, second), fileList(target, third)),
  'a list of files deleted': ({ target, full }) => rm(fileList(target, full)),
  'a manifest truncated': async ({ target, third }) => truncate(manifest(target, third), 1_000),
  'a manifest with another number of rows': ({ target, third }) =>
    edit(manifest(target, third), /"rows":(\d)/, '"rows":1$1'),
  'a manifest without its base': ({ target, third }) =>
    edit(manifest(target, third), /"base_id":"[^"]*"/, '"base_id":null'),
  'a manifest that skips a backup of the chain': ({ target, full, second, third }) =>
    edit(manifest(target, third), `"base_id":"${second}"`, `"base_id":"${full}"`),
  'a file deleted, and its entry in the manifest too': async ({ target, full }) => {
    const file = await data(target, full)
    await rm(file)
    const path = file.slice(join(target, full).length + 1)
    await edit(manifest(target, full), new RegExp(`\\{"path":"${path.replaceAll('.', '\\.')}"[^}]*\\},?`), '')
  },
}
