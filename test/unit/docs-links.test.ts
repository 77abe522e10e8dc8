import { posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { files, inlineCode, pages, read, withoutCodeBlocks } from './repository.ts'

/** What the pages cite exists: files, folders, headings. */
const folders = new Set(files.flatMap(parents))
const paths: readonly string[] = [...files, ...folders]
const known = new Set(paths)
const topLevel = new Set([...folders].filter((folder) => !folder.includes('/')))

describe('links', () => {
  test('lead to files of the repository', () => {
    const broken = pages.flatMap((page) =>
      links(page)
        .filter(({ file }) => !known.has(file))
        .map(({ target }) => `${page}: ${target}`),
    )
    expect(broken).toEqual([])
  })

  test('lead to headings of these files', () => {
    const broken = pages.flatMap((page) =>
      links(page)
        .filter(({ file, anchor }) => anchor !== '' && file.endsWith('.md') && known.has(file))
        .filter(({ file, anchor }) => !anchors(file).has(anchor))
        .map(({ target }) => `${page}: ${target}`),
    )
    expect(broken).toEqual([])
  })

  test('of sources lead to headings of the pages', () => {
    const sources = files.filter((file) =>
      /^(?:src|scripts|deploy|test)\/.*\.(?:ts|tsx|mjs|yaml)$/.test(file),
    )
    const broken = sources.flatMap((source) =>
      [...read(source).matchAll(/(?<![\w/.])(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g)]
        .filter(
          ([, file = '', anchor]) => !known.has(file) || (anchor !== undefined && !anchors(file).has(anchor)),
        )
        .map(([cited]) => `${source}: ${cited}`),
    )
    expect(broken).toEqual([])
  })
})

test('paths in backticks exist', () => {
  const missing = pages.flatMap((page) =>
    inlineCode(read(page))
      .filter((code) => isPath(code) && !exists(page, code))
      .map((code) => `${page}: ${code}`),
  )
  expect(missing).toEqual([])
})

interface Link {
  readonly target: string
  readonly file: string
  readonly anchor: string
}

/** Links to other sites are left out. */
function links(page: string): Link[] {
  const text = withoutCodeBlocks(read(page))
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g), ...text.matchAll(/(?:src|srcset|href)="([^"]+)"/g)]
  return targets
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor = ''] = target.split('#')
      const file = path === '' ? page : posix.join(posix.dirname(page), path).replace(/\/$/, '')
      return { target, file, anchor }
    })
}

const anchorsByFile = new Map<string, ReadonlySet<string>>()

/** As GitHub derives them from headings, and explicit ones. */
function anchors(file: string): ReadonlySet<string> {
  const cached = anchorsByFile.get(file)
  if (cached !== undefined) return cached
  const text = withoutCodeBlocks(read(file))
  const found = new Set([...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id = '']) => id))
  for (const [, heading = ''] of text.matchAll(/^#+ +(.+?) *$/gm)) {
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-')
    let unique = slug
    for (let n = 1; found.has(unique); n++) unique = `${slug}-${n}`
    found.add(unique)
  }
  anchorsByFile.set(file, found)
  return found
}

/** Of a file of ours: it begins with a folder of the repository, or is the name of a source. */
function isPath(code: string): boolean {
  if (!/^[\w./*<>-]+$/.test(code)) return false
  const [first = ''] = code.split('/')
  return (code.includes('/') && topLevel.has(first)) || /[\w*>]\.(?:ts|tsx|mjs)$/.test(code)
}

/** `*` and `<noun>` stand for a name. A path may begin in the middle, as in `pipeline/execute.ts`. */
function exists(page: string, code: string): boolean {
  const path = code.replace(/\/$/, '')
  if (known.has(path) || known.has(posix.join(posix.dirname(page), path))) return true
  const pattern = path.replaceAll('.', String.raw`\.`).replaceAll(/\*|<\w+>/g, '[^/]+')
  const expected = new RegExp(`(?:^|/)${pattern}$`)
  return paths.some((each) => expected.test(each))
}

function parents(file: string): string[] {
  const parts = file.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}
