import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'

/**
 * The built web UI: a page and what it loads. All of it is read at the start and kept in memory (about 2 MB), so that a
 * request names one of these files or nothing; no path of a request ever reaches the file system.
 */
export interface WebFiles {
  readonly page: WebFile
  /** By their paths, such as `/assets/main-B7fK2x.js`. */
  readonly files: ReadonlyMap<string, WebFile>
}

export interface WebFile {
  readonly type: string
  /** Its name says what is in it: a new content has a new name. */
  readonly isForever: boolean
  readonly etag: string
  readonly bytes: Buffer
  /** The same bytes compressed, as they lie beside it. */
  readonly encodings: ReadonlyMap<Encoding, Buffer>
}

type Encoding = 'br' | 'gzip'

/** The first one that a browser takes is sent. */
const SUFFIXES: ReadonlyMap<Encoding, string> = new Map([
  ['br', '.br'],
  ['gzip', '.gz'],
])

const PAGE = 'index.html'

/** `assets/main-B7fK2x9Q.js` */
const HASHED = /^assets\/.+-[\w-]{8}\.\w+$/

/** Undefined if there is no UI in the directory, as in a clone that was not built. */
export function readWebFiles(directory: string | undefined): WebFiles | undefined {
  if (directory === undefined || !existsSync(join(directory, PAGE))) return undefined
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'))
  const isBeside = (name: string): boolean => [...SUFFIXES.values()].includes(extname(name))
  const files = new Map(
    names
      .filter((name) => name !== PAGE && !isBeside(name))
      .map((name) => [`/${name}`, readWebFile(directory, name)]),
  )
  return { page: readWebFile(directory, PAGE), files }
}

function readWebFile(directory: string, name: string): WebFile {
  const path = join(directory, name)
  const bytes = readFileSync(path)
  const encodings = new Map(
    [...SUFFIXES].flatMap(([encoding, suffix]) =>
      existsSync(path + suffix) ? [[encoding, readFileSync(path + suffix)] as const] : [],
    ),
  )
  return {
    type: TYPES.get(extname(name)) ?? 'application/octet-stream',
    isForever: HASHED.test(name),
    etag: `"${createHash('sha256').update(bytes).digest('base64url')}"`,
    bytes,
    encodings,
  }
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.ico', 'image/x-icon'],
  ['.woff2', 'font/woff2'],
  ['.json', 'application/json'],
  ['.txt', 'text/plain; charset=utf-8'],
])
