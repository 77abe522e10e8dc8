import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { useServer } from '../harness.ts'

/** docs/queries.md is true: every command on it is run in order, and answers what the page says. */
const server = useServer()

interface Example {
  readonly command: string
  /** undefined where the page shows none: it must only succeed. */
  readonly answer: string | undefined
}

const page = readFileSync(new URL('../../docs/queries.md', import.meta.url), 'utf8')

/** A block of `sh`, and the block without a language right behind it. */
const examples: Example[] = [...page.matchAll(/^```sh\n([^]*?)^```\n(?:\n```\n([^]*?)^```\n)?/gm)].map(
  ([, command = '', answer]) => ({ command, answer }),
)

const CURL =
  /^curl -u api:\$KEY \$HEDDLE(\S+) -d '([^']*)'(?:\s+(?:\\\s+)?\| jq -([cr]) (?:'([^']*)'|(\S+)))?\n$/

async function run(command: string): Promise<string> {
  const [, path = '', body = '', style, quoted, bare] = CURL.exec(command) ?? []
  expect(path, `not a command that this test can read:\n${command}`).not.toBe('')
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

/** As much of jq as the page needs: `.a.b[0].c[]`, `[.a, .b]`, `select(.a)`, one after the other. */
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

test('every command of the page answers what the page says', async () => {
  expect(examples.length).toBeGreaterThan(20)
  for (const { command, answer } of examples) {
    const answered = await run(command)
    if (answer !== undefined) expect(answered, command).toBe(answer)
  }
})

test('every operator, conversion and kind of field has an example on the page', () => {
  const commands = examples.map(({ command }) => command).join('\n')
  const shown = [
    '$literal', '$getField', '$eq', '$gt', '$gte', '$lt', '$in', '$contains', '$and', '$or', '$not', '$convert', '$size',
    '"exists"', '"int"', 'inputs.', 'output.', 'attributes.', 'summary.', 'feedback.[', 'started_at', 'sort_by', 'limit',
    'filter', '/search', '/sql', 'query_stats',
  ] // prettier-ignore
  expect(shown.filter((part) => !commands.includes(part))).toEqual([])
})
