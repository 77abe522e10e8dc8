import { isHeddleApi } from '../../src/contract/operation.ts'
import { notServed } from '../../src/contract/weave-api.ts'
import { sections } from '../../src/http/reference.ts'
import { markdownTable } from './markdown.ts'
import { type Use, useOf } from './sdk-use.ts'

const BEGIN = '<!-- operations: made by `npm run generate` -->'
const END = '<!-- end of operations -->'

/** docs/sdk.md is written by hand, but for what stands between the two marks. */
export function sdkPage(page: string): string {
  const begin = page.indexOf(BEGIN)
  const end = page.indexOf(END)
  if (begin === -1 || end < begin) throw new Error(`docs/sdk.md has lost its marks ${BEGIN} and ${END}`)
  return `${page.slice(0, begin) + BEGIN}\n\n${tables()}\n\n${page.slice(end)}`
}

function tables(): string {
  const served = sections().flatMap(({ operations }) =>
    operations.flatMap(({ operation }) => {
      if (isHeddleApi(operation)) return []
      const spellings = [operation.path, ...operation.aliases]
      const uses = spellings.map(useOf)
      return [
        [
          spellings.map((path) => `\`${operation.method} ${path}\``).join(', '),
          mark(uses.map((use) => use.python)),
          mark(uses.map((use) => use.typescript)),
          operation.summary,
        ],
      ]
    }),
  )
  return `${markdownTable(['operation', 'Python', 'TypeScript', ''], served)}

Not there yet, answered with 501 and a sentence:

${markdownTable(['operations of Weave', 'how many'], missing())}`
}

function mark(uses: readonly (Use | undefined)[]): string {
  if (uses.includes('always')) return '●'
  return uses.includes('sometimes') ? '○' : ''
}

/** By what comes first in the path. */
function missing(): string[][] {
  const groups = new Map<string, string[]>()
  for (const { path } of notServed()) {
    const first = /^(?:\/v2\/\{entity\}\/\{project\})?\/[^/]+/.exec(path)?.[0] ?? path
    groups.set(first, [...(groups.get(first) ?? []), path])
  }
  return [...groups].map(([first, paths]) => [
    `\`${paths.length === 1 ? paths[0] : `${first}…`}\``,
    String(paths.length),
  ])
}
