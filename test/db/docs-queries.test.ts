import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { useServer } from '../harness.ts'

/** Runs every command of docs/queries.md in order and compares the output with the page. */
const server = useServer()

interface Example {
  readonly command: string
  /** undefined if the page shows no output: the command must only succeed. */
  readonly output: string | undefined
}

const page = readFileSync(new URL('../../docs/queries.md', import.meta.url), 'utf8')

/** An `sh` block, and the block without a language directly after it. */
const examples: Example[] = [...page.matchAll(/^```sh\n([^]*?)^```\n(?:\n```\n([^]*?)^```\n)?/gm)].map(
  ([, command = '', output]) => ({ command, output }),
)

const CURL =
  /^curl -u api:\$KEY \$HEDDLE(\S+) -d '([^']*)'(?:\s+(?:\\\s+)?\| jq -([cr]) (?:'([^']*)'|(\S+)))?\n$/

async function run(command: string): Promise<string> {
  const [, path = '', body = '', style, quoted, bare] = CURL.exec(command) ?? []
  expect(path, `this test cannot parse the command:\n${command}`).not.toBe('')
  const { status, text } = await server.send(path, body)
  const program = quoted ?? bare
  if (program === undefined) {
    expect([status, text]).toEqual([200, text])
    return text
  }
  const documents = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  return documents
    .flatMap((document) => jq(program, [document]))
    .map((value) => `${style === 'r' && typeof value === 'string' ? value : JSON.stringify(value)}\n`)
    .join('')
}

/** The subset of jq that the page uses: `.a.b[0].c[]`, `[.a, .b]`, `select(.a)`, joined by pipes. */
function jq(program: string, input: readonly unknown[]): unknown[] {
  return program.split(' | ').reduce<unknown[]>(
    (values, stage) => {
      const condition = /^select\((.*)\)$/.exec(stage)?.[1]
      const list = /^\[(.*)\]$/.exec(stage)?.[1]
      return values.flatMap((value) => {
        if (condition !== undefined) return valuesAt(value, condition)[0] === null ? [] : [value]
        if (list !== undefined) return [list.split(', ').flatMap((path) => valuesAt(value, path))]
        return valuesAt(value, stage)
      })
    },
    [...input],
  )
}

function valuesAt(document: unknown, path: string): unknown[] {
  expect(path).toMatch(/^(\.\w+(\[\d*\])?)+$/)
  return [...path.matchAll(/\.(\w+)|\[(\d*)\]/g)].reduce<unknown[]>(
    (values, [, key, index]) =>
      values.flatMap((value) => {
        if (index === '') return value
        const found = (value as Record<string, unknown> | null)?.[key ?? index ?? '']
        return [found ?? null]
      }),
    [document],
  )
}

test('every command of the page has the output that the page shows', async () => {
  expect(examples.length).toBeGreaterThan(20)
  for (const { command, output } of examples) {
    const actual = await run(command)
    if (output !== undefined) expect(actual, command).toBe(output)
  }
})

test('the page has an example for every operator, conversion and kind of field', () => {
  const commands = examples.map(({ command }) => command).join('\n')
  const shown = [
    '$literal', '$getField', '$eq', '$gt', '$gte', '$lt', '$in', '$contains', '$and', '$or', '$not', '$convert', '$size',
    '"exists"', '"int"', 'inputs.', 'output.', 'attributes.', 'summary.', 'feedback.[', 'started_at', 'sort_by', 'limit',
    'filter', '/search', '/sql', 'query_stats',
  ] // prettier-ignore
  expect(shown.filter((part) => !commands.includes(part))).toEqual([])
})
