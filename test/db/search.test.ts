import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SearchHit } from '../../src/contract/calls/search.ts'
import { uuidv7 } from '../../src/core/time/ids.ts'
import { applySearchIndex, selectSearchIndex } from '../../src/store/calls/read/search-index.ts'
import { sql } from '../../src/store/query/sql.ts'
import { type TestServer, useServer } from '../harness.ts'
import { containsFolded } from '../search-interpreter.ts'

const server = useServer()
/** With a search index, which must change nothing but the duration. */
const indexed = useServer({ searchIndex: 'words' })
/** Returns after each time slice, with or without hits. */
const impatient = useServer({ searchTimeoutMs: 0 })

interface SearchResult {
  readonly hits: SearchHit[]
  readonly cursor: string | null
  readonly searched_to: string | null
}

const BASE = Date.UTC(2026, 9, 1)
let callCount = 0

interface StoredCall {
  readonly id: string
  readonly project_id: string
}

/** Stores a call with the given JSON texts as payloads. */
async function store(
  project: string,
  record: { inputs?: string; output?: string; [field: string]: unknown },
  targets: readonly TestServer[] = [server],
): Promise<StoredCall> {
  const { inputs = '{}', output = 'null', ...rest } = record
  const at = BASE + callCount++ * 60_000
  const call = {
    project_id: `acme/${project}`,
    id: uuidv7(BigInt(at) * 1000n),
    trace_id: 'trace',
    op_name: 'answer',
    started_at: new Date(at).toISOString(),
    ended_at: new Date(at + 1000).toISOString(),
    summary: {},
    attributes: {},
    ...rest,
  }
  const text = JSON.stringify(call).slice(0, -1)
  const body = `{"batch":[${text},"inputs":${inputs},"output":${output}}]}`
  for (const target of targets) {
    const response = await target.send(`/v2/acme/${project}/calls/complete`, body)
    expect(response.status, response.text).toBe(200)
  }
  return { id: call.id, project_id: call.project_id }
}

async function search(
  project: string,
  text: string,
  options: object = {},
  at = server,
): Promise<SearchResult> {
  return at.post<SearchResult>(`/api/v1/projects/acme/${project}/search`, { text, ...options })
}

async function ids(project: string, text: string, options: object = {}, at = server): Promise<string[]> {
  return (await search(project, text, options, at)).hits.map((hit) => hit.id)
}

async function note(call: StoredCall, text: string, target = server): Promise<string> {
  const { id } = await target.post<{ id: string }>('/feedback/create', {
    project_id: call.project_id,
    weave_ref: `weave:///${call.project_id}/call/${call.id}`,
    feedback_type: 'wandb.note.1',
    payload: { note: text },
  })
  return id
}

describe('matching', () => {
  test('text is found in every searched field, and the field is named', async () => {
    const name = await store('fields', {
      op_name: 'weave:///acme/fields/op/findNeedles:abcdef0123456789abcdef0123456789abcdef01',
    })
    const display = await store('fields', { display_name: 'a needle in hay' })
    const exception = await store('fields', { exception: 'ValueError: NEEDLE missing' })
    const inputs = await store('fields', { inputs: '{"q":"any Needle?"}' })
    const output = await store('fields', { output: '["needle","needle"]' })
    const noted = await store('fields', {})
    await store('fields', { inputs: '{"q":"nothing"}', attributes: { a: 'needle' } })
    const feedback_id = await note(noted, 'this is the needle I meant')
    const { hits, cursor, searched_to } = await search('fields', 'needle')
    expect(hits.map((hit) => [hit.id, hit.matches.map((match) => match.field)])).toEqual([
      [noted.id, ['note']],
      [output.id, ['output']],
      [inputs.id, ['inputs']],
      [exception.id, ['exception']],
      [display.id, ['display_name']],
      [name.id, ['name']],
    ])
    expect([cursor, searched_to]).toEqual([null, null])
    expect(hits[0]?.matches[0]).toMatchObject({
      feedback_id,
      excerpt: 'this is the needle I meant',
      ranges: [[12, 18]],
    })
    expect(hits[1]?.matches[0]).toMatchObject({
      count: 2,
      ranges: [
        [2, 8],
        [11, 17],
      ],
    })
    expect(await ids('fields', 'needle', { fields: ['inputs', 'note'] })).toEqual([noted.id, inputs.id])
    expect(await ids('fields', 'needle', { fields: ['note'] })).toEqual([noted.id])
    // Metrics count the same calls, also if no note matches.
    const count = async (text: string): Promise<unknown> => {
      const range = {
        start: new Date(BASE).toISOString(),
        end: new Date(BASE + 86_400_000 * 30).toISOString(),
      }
      const { groups } = await server.post<{ groups: { totals: { count: number } }[] }>(
        '/api/v1/projects/acme/fields/metrics',
        { ...range, text, bucket: 'none', measures: ['count'] },
      )
      return groups[0]?.totals.count ?? 0
    }
    expect([await count('needle'), await count('Hay'), await count('nowhere')]).toEqual([6, 1, 0])
  })

  test('an op name is searched without the project and the digest of its ref', async () => {
    const call = await store('names', { op_name: 'weave:///acme/names/op/answerQuestion:0123abcd' })
    expect(await ids('names', 'erques')).toEqual([call.id])
    for (const text of ['acme', 'names', '0123', 'weave']) expect(await ids('names', text), text).toEqual([])
  })

  test.each([
    ['Chinese', '{"q":"今天天气怎么样"}', '天气'],
    ['Arabic', '{"q":"ما هو الطقس اليوم"}', 'الطقس'],
    ['umlauts in any case', '{"q":"ZÜRICH"}', 'zürich'],
    ['Cyrillic in any case', '{"q":"ПРИВЕТ мир"}', 'вет Ми'],
    ['Greek with a final sigma', '{"q":"ΟΔΟΣ"}', 'οδος'],
    ['a sharp s', '{"q":"GROẞ"}', 'groß'],
    ['the Kelvin sign', '{"q":"300 \u212a"}', '300 k'],
    ['escapes of a client that writes only ASCII', '{"q":"Z\\u00dcrich"}', 'zürich'],
    ['escapes in upper case', '{"q":"\\u4ECA\\u5929"}', '今天'],
    ['an emoji as a surrogate pair of escapes', '{"q":"ok \\ud83d\\ude00!"}', '😀!'],
    ['ASCII letters as escapes', '{"q":"\\u0068ello"}', 'HELLO'],
    ['a line break', '{"q":"one\\ntwo"}', 'one\ntwo'],
    ['a line break as a four-digit escape', '{"q":"one\\u000Atwo"}', 'one\ntwo'],
    ['quotes', '{"q":"say \\"hi\\""}', 'say "hi"'],
    ['an escaped slash', '{"q":"a\\/b"}', 'a/b'],
    ['a backslash', '{"q":"C:\\\\temp"}', 'c:\\temp'],
    ['keys and numbers', '{"temperature": 0.70}', 'ture": 0.70'],
    ['percent and underscore literally', '{"q":"100%_sure"}', '%_s'],
    ['regular expression characters literally', '{"q":"f(x)=[a-z]*.?$^|"}', 'F(x)=[a-z]*.?$^|'],
  ])('%s', async (_title, inputs, text) => {
    const project = `script${callCount}`
    const call = await store(project, { inputs }, [server, indexed])
    expect(await ids(project, text, {}, indexed)).toEqual([call.id])
    const { hits } = await search(project, text)
    expect(hits.map((hit) => hit.id)).toEqual([call.id])
    const match = hits[0]!.matches[0]!
    const [[from, to] = [0, 0]] = match.ranges
    expect(containsFolded(match.excerpt.slice(from, to), text), match.excerpt).toBe(true)
    expect(to - from).toBe(text.length)
  })

  test.each([
    ['a line break and `ext` are not `next`', '{"q":"\\next"}', 'next'],
    ['the digits of an escape are not text', '{"q":"\\u00e4"}', '00e4'],
    ['an escaped backslash does not start an escape', '{"q":"\\\\u00e4"}', 'ä'],
    ['one more letter', '{"q":"needle"}', 'needles'],
    ['a dotless i is a different letter', '{"q":"\u0131"}', 'i'],
  ])('not found: %s', async (_title, inputs, text) => {
    const project = `not${callCount}`
    await store(project, { inputs })
    expect(await ids(project, text)).toEqual([])
  })

  test('a match beyond the previewed part is found, without ranges', async () => {
    await store('large', { inputs: JSON.stringify({ q: `${'x'.repeat(400_000)} needle` }) })
    const { hits } = await search('large', 'needle')
    expect(hits.map((hit) => hit.matches.map(({ field, ranges }) => [field, ranges]))).toEqual([
      [['inputs', []]],
    ])
  })
})

describe('selection', () => {
  test('a deleted call is not found, a call sent twice is found once, and a rename is found immediately', async () => {
    const gone = await store('states', { inputs: '{"q":"lantern"}' })
    const kept = await store('states', { inputs: '{"q":"lantern"}' })
    callCount--
    await store('states', { id: kept.id, inputs: '{"q":"lantern"}' })
    await server.post('/calls/delete', { project_id: 'acme/states', call_ids: [gone.id] })
    expect(await ids('states', 'lantern')).toEqual([kept.id])
    await server.post('/call/update', {
      project_id: 'acme/states',
      call_id: kept.id,
      display_name: 'brazier',
    })
    expect(await ids('states', 'brazier')).toEqual([kept.id])
  })

  // An index that skips the newer version of a row would return the older one.
  test.each([
    ['without an index', () => server],
    ['with an index', () => indexed],
  ] as const)('former text of a call or a note is not found, %s', async (_title, at) => {
    const project = `past${callCount}`
    const call = await store(project, { display_name: 'candelabra' }, [at()])
    const { project_id } = call
    const feedback_id = await note(call, 'a chandelier', at())
    expect(await ids(project, 'candela', {}, at())).toEqual([call.id])
    expect(await ids(project, 'chandelier', {}, at())).toEqual([call.id])
    await at().post('/call/update', { project_id, call_id: call.id, display_name: 'sconce' })
    expect(await ids(project, 'candela', {}, at())).toEqual([])
    expect(await ids(project, 'sconce', {}, at())).toEqual([call.id])
    const query = { $expr: { $eq: [{ $getField: 'id' }, { $literal: feedback_id }] } }
    await at().post('/feedback/purge', { project_id, query })
    expect(await ids(project, 'chandelier', {}, at())).toEqual([])
    await note(call, 'a girandole', at())
    await at().post('/calls/delete', { project_id, call_ids: [call.id] })
    for (const text of ['sconce', 'girandole']) expect(await ids(project, text, {}, at())).toEqual([])
  })

  test('filter, query and time bounds restrict a search, also in notes', async () => {
    const calls: StoredCall[] = []
    for (const n of [0, 1, 2, 3])
      calls.push(await store('narrow', { op_name: `op${n % 2}`, inputs: `{"n":${n},"q":"harbour"}` }))
    await note(calls[1]!, 'harbour')
    const order = (...n: number[]): string[] => n.map((i) => calls[i]!.id)
    expect(await ids('narrow', 'harbour')).toEqual(order(3, 2, 1, 0))
    expect(await ids('narrow', 'harbour', { filter: { op_names: ['op1'] } })).toEqual(order(3, 1))
    const query = { $expr: { $gt: [{ $getField: 'inputs.n' }, { $literal: 1 }] } }
    expect(await ids('narrow', 'harbour', { query })).toEqual(order(3, 2))
    const { hits } = await search('narrow', 'harbour')
    const [, after = '', before = ''] = hits.map((hit) => hit.started_at).reverse()
    expect(await ids('narrow', 'harbour', { after, before })).toEqual(order(1))
    expect(await ids('narrow', 'harbour', { fields: ['note'], before })).toEqual(order(1))
  })

  test('pages by cursor have no repeats and no gaps, also among calls with equal start times', async () => {
    const all: string[] = []
    const at = new Date(BASE).toISOString()
    for (let n = 0; n < 23; n++) {
      const call = await store('pages', {
        inputs: '{"q":"meadow"}',
        ...(n % 3 === 0 ? { started_at: at } : {}),
      })
      all.push(call.id)
      if (n % 5 === 0) await note(call, 'meadow')
    }
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: SearchResult = await search('pages', 'meadow', { limit: 4, cursor })
      seen.push(...page.hits.map((hit) => hit.id))
      cursor = page.cursor
    } while (cursor !== null)
    expect(seen).toEqual(await ids('pages', 'meadow'))
    expect(seen.toSorted()).toEqual(all.toSorted())
  })

  test('a note in another project, or about a call of another project, is not found', async () => {
    const call = await store('mine', {})
    await store('theirs', {})
    await server.post('/feedback/create', {
      project_id: 'acme/theirs',
      weave_ref: `weave:///acme/mine/call/${call.id}`,
      feedback_type: 'wandb.note.1',
      payload: { note: 'quokka' },
    })
    expect(await ids('mine', 'quokka')).toEqual([])
    expect(await ids('theirs', 'quokka')).toEqual([])
  })
})

describe('many calls', () => {
  /** Every 97th call contains the text, some of them resent or deleted; only the oldest call contains `moor`. */
  async function fill(target: TestServer): Promise<string[]> {
    const { db } = target.heddle.deps
    for (const [version, is_deleted, which] of [
      [1, 0, sql`1`],
      [2, 0, sql`number % 194 = 0`],
      [3, 1, sql`number % 970 = 0`],
    ] as const) {
      await db.command(
        sql`INSERT INTO calls (project_id, id, started_at, trace_id, op_name, inputs, output, version, is_deleted)
SELECT 'acme/many', concat('c', toString(number)), toDateTime64('2026-10-01 00:00:00', 6, 'UTC') + intDiv(number, 3), 't', 'fill',
  multiIf(number % 97 = 0, '{"q":"a MEADOW"}', number = 1, '{"q":"moor"}', '{"q":"nothing"}'), 'null', ${version}, ${is_deleted}
FROM numbers(40000) WHERE ${which}`,
        'fill',
      )
    }
    const kept = await db.rows<{ id: string }>(
      sql`SELECT concat('c', toString(number)) AS id FROM numbers(40000) WHERE number % 97 = 0 AND number % 970 != 0
ORDER BY intDiv(number, 3) DESC, id DESC`,
      { name: 'expected', kind: 'point' },
    )
    // A note on a call in the middle whose other fields do not contain the text.
    await note({ project_id: 'acme/many', id: 'c20001' }, 'meadow', target)
    const ids = kept.map(({ id }) => id)
    ids.splice(
      ids.findIndex((id) => Number(id.slice(1)) < 20_001),
      0,
      'c20001',
    )
    return ids
  }

  test.each([
    ['in one request', () => server],
    ['with an index', () => indexed],
    ['that returns after each slice', () => impatient],
  ] as const)(
    'a search %s covers all slices without gaps or repeats',
    async (_title, at) => {
      const expected = await fill(at())
      const seen: string[] = []
      let requests = 0
      let cursor: string | null = null
      do {
        const page: SearchResult = await search('many', 'meadow', { limit: 60, cursor }, at())
        expect(page.hits.length).toBeLessThanOrEqual(60)
        seen.push(...page.hits.map((hit) => hit.id))
        cursor = page.cursor
        requests++
      } while (cursor !== null)
      expect(seen).toEqual(expected)
      expect(requests).toBeGreaterThanOrEqual(7)
      const rare = await search('many', 'moor', {}, at())
      expect(rare.cursor === null ? rare.hits.map((hit) => hit.id) : rare.searched_to).toEqual(
        at() === impatient ? expect.any(String) : ['c1'],
      )
    },
    120_000,
  )
})

test.each([
  ['', 422],
  ['x'.repeat(257), 422],
])('an empty or too long text is rejected', async (text, status) => {
  expect((await server.send('/api/v1/projects/acme/demo/search', { text })).status).toBe(status)
})

test('the longest permitted text, of letters with many case variants, can be searched', async () => {
  const text = 'ЖΣsK'.repeat(64)
  const call = await store('longest', { inputs: JSON.stringify({ q: text.toLowerCase() }) })
  expect(await ids('longest', text)).toEqual([call.id])
})

/** Problematic characters: case, escapes, scripts, surrogate pairs. A small set, so that random needles match. */
const CHARACTERS = [
  ...Array.from('aAkKsSnu0e4ä'),
  ...Array.from('ÄßẞσςΣжЖ今天الK\u017f\u0130\u0131😀"\\/\n\t %_.'),
  'keks',
  'SASS',
  'u00e4',
  'needle',
] as const
const someText = fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 12 }).map((list) => list.join(''))

/** A text and its JSON string, with each character in one of its possible JSON notations. */
const jsonString = fc
  .tuple(someText, fc.array(fc.nat(2), { minLength: 24, maxLength: 24 }))
  .map(([text, notations]) => {
    const units = Array.from(text).map((character, i) => {
      const quoted = JSON.stringify(character).slice(1, -1)
      const escape = Array.from({ length: character.length }, (_, at) => {
        const hex = character.charCodeAt(at).toString(16).padStart(4, '0')
        return `\\u${i % 2 === 0 ? hex : hex.toUpperCase()}`
      }).join('')
      return notations[i] === 2 ? escape : notations[i] === 1 && character === '/' ? '\\/' : quoted
    })
    return { text, json: `"${units.join('')}"` }
  })

test('an index of existing data is built in the background, and can be dropped before it is complete', async () => {
  const db = impatient.heddle.deps.db.firstShard
  const exists = async (): Promise<boolean> =>
    (await db.first<{ n: string }>(selectSearchIndex, { name: 'search index', kind: 'point' }))?.n === '1'
  await store('background', { inputs: '{"q":"albatross"}' }, [impatient])
  // Without merges the index is never complete.
  await db.ddl('SYSTEM STOP MERGES calls')
  try {
    await applySearchIndex(db, 'words')
    expect(await exists()).toBe(true)
    await applySearchIndex(db, 'off')
    expect(await exists()).toBe(false)
  } finally {
    await db.ddl('SYSTEM START MERGES calls')
  }
})

test('search equals the reference implementation for random texts and parts of them', async () => {
  let n = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ input: jsonString, output: jsonString, name: someText }), {
        minLength: 4,
        maxLength: 8,
      }),
      fc.array(
        fc.record({ text: someText, of: fc.nat(7), at: fc.nat(12), length: fc.integer({ min: 1, max: 4 }) }),
        {
          minLength: 12,
          maxLength: 12,
        },
      ),
      async (records, needles) => {
        const project = `property${n++}`
        const calls: { id: string; texts: string[] }[] = []
        for (const { input, output, name } of records) {
          const record = {
            inputs: `{"q":${input.json}}`,
            output: output.json,
            display_name: name === '' ? undefined : name,
          }
          const { id } = await store(project, record, [server, indexed])
          calls.unshift({ id, texts: [`{"q":"${input.text}"}`, `"${output.text}"`, name, 'answer'] })
        }
        for (const { text, of, at, length } of needles) {
          const source = Array.from(records[of % records.length]?.input.text ?? '')
          const part = source
            .slice(at % Math.max(1, source.length))
            .slice(0, length)
            .join('')
          for (const needle of new Set([text, part, part.toUpperCase(), part.toLowerCase()])) {
            if (needle === '' || needle.length > 256) continue
            const expected = calls.filter((call) =>
              call.texts.some((candidate) => containsFolded(candidate, needle)),
            )
            for (const at of [server, indexed])
              expect(await ids(project, needle, {}, at), JSON.stringify([needle, calls])).toEqual(
                expected.map(({ id }) => id),
              )
          }
        }
      },
    ),
    { numRuns: Math.ceil(Number(process.env['HEDDLE_PROPERTY_RUNS'] ?? 300) / 20) },
  )
}, 600_000)
