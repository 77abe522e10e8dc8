import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The files of the repository, for tests that compare documentation with code. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Files that are tracked, or would be: paths from the root of the repository. */
export const files: readonly string[] = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(ROOT, file)))
  .toSorted()

/** Pages that people read: those at the root and below docs, and how to test. */
export const pages: readonly string[] = files.filter(
  (file) =>
    file.endsWith('.md') &&
    (file.startsWith('docs/') ||
      ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'test/README.md'].includes(file)),
)

export function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

/** Of a page: what stands in backticks, outside of code blocks. */
export function inlineCode(markdown: string): string[] {
  const text = withoutCodeBlocks(markdown)
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
}

export function withoutCodeBlocks(markdown: string): string {
  return markdown.replaceAll(/^[ \t]*```[\s\S]*?^[ \t]*```/gm, '')
}

export function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(?<!:)\/\/.*$/gm, '')
}

/** The text of a page below a heading, up to the next heading of the same or a higher level. */
export function section(markdown: string, heading: string): string {
  const level = heading.split(' ')[0]?.length ?? 0
  const start = markdown.indexOf(`${heading}\n`)
  if (start < 0) throw new Error(`there is no heading "${heading}"`)
  const rest = markdown.slice(start + heading.length)
  const end = rest.search(new RegExp(`^#{1,${level}} `, 'm'))
  return end < 0 ? rest : rest.slice(0, end)
}
