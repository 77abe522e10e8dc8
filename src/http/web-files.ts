import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

/**
 * The files of the built web UI. All are read into memory at the start (about 2 MB), so no path of a request ever
 * reaches the file system.
 */
export interface WebFiles {
  readonly page: WebFile
  /** By path, such as `/assets/main-B7fK2x.js`. */
  readonly files: ReadonlyMap<string, WebFile>
}

export interface WebFile {
  readonly type: string
  /** The file name contains a content hash, so the file never changes. */
  readonly isImmutable: boolean
  readonly etag: string
  readonly bytes: Buffer
  /** Precompressed variants, from the `.br` and `.gz` files beside it. */
  readonly encodings: ReadonlyMap<Encoding, Buffer>
}

type Encoding = 'br' | 'gzip'

/** In order of preference. */
const SUFFIXES: ReadonlyMap<Encoding, string> = new Map([
  ['br', '.br'],
  ['gzip', '.gz'],
])

const PAGE = 'index.html'

/** `assets/main-B7fK2x9Q.js` */
const HASHED = /^assets\/.+-[\w-]{8}\.\w+$/

/**
 * Returns undefined if the directory has no UI, as in a checkout that was not built. `basePath` is the start of every URL
 * path behind a proxy.
 */
export function readWebFiles(directory: string | undefined, basePath = ''): WebFiles | undefined {
  if (directory === undefined || !existsSync(join(directory, PAGE))) return undefined
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'))
  const isPrecompressed = (name: string): boolean => [...SUFFIXES.values()].includes(extname(name))
  const files = new Map(
    names
      .filter((name) => name !== PAGE && !isPrecompressed(name))
      .map((name) => [`/${name}`, readWebFile(directory, name)]),
  )
  return { page: withBasePath(readWebFile(directory, PAGE), basePath), files }
}

/** The built page refers to its files by `./`, and is served at many paths. */
function withBasePath(page: WebFile, basePath: string): WebFile {
  const bytes = Buffer.from(page.bytes.toString().replaceAll('="./', `="${basePath}/`))
  if (bytes.equals(page.bytes)) return page
  const compress = (encoding: Encoding): Buffer =>
    encoding === 'br' ? brotliCompressSync(bytes) : gzipSync(bytes)
  const encodings = [...page.encodings.keys()].map((encoding) => [encoding, compress(encoding)] as const)
  return { ...page, bytes, etag: etagOf(bytes), encodings: new Map(encodings) }
}

function etagOf(bytes: Buffer): string {
  return `"${createHash('sha256').update(bytes).digest('base64url')}"`
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
    isImmutable: HASHED.test(name),
    etag: etagOf(bytes),
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
