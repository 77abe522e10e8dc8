import type { Api } from './api.ts'
import { readCall, startRecord } from './call-records.ts'
import { check } from './check.ts'
import { same } from './expect.ts'

/** Section 1: values that a server may reject, but must not fail on, and a large one that it must store. */
const HOSTILE_INPUTS: Readonly<Record<string, string>> = {
  'a key twice': '{"a":1,"a":2}',
  'half of a surrogate pair': String.raw`{"s":"\ud800"}`,
  'a number beyond the range of floats': '{"n":1e400}',
  'NaN and Infinity': '{"a":NaN,"b":Infinity}',
  '5,000 levels': `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  '100,000 levels': `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  '200,000 keys': `{${Array.from({ length: 200_000 }, (_, n) => `"k${n}":${n}`).join(',')}}`,
  'a number of 100,000 digits': `{"n":${'9'.repeat(100_000)}}`,
}

const withInputs = (api: Api, inputs: string): string =>
  JSON.stringify({ start: startRecord(api, { inputs: 0 }) }).replace('"inputs":0', `"inputs":${inputs}`)

for (const [name, inputs] of Object.entries(HOSTILE_INPUTS)) {
  check('1.17', 'call/start', `inputs with ${name} do not fail`, async (api) =>
    api.doesNotFail('/call/start', withInputs(api, inputs)),
  )
}
for (const field of ['op_name', 'display_name', 'wb_run_id', 'id', 'trace_id', 'parent_id']) {
  check('1.17', 'call/start', `${field} of 1,000,000 characters does not fail`, async (api) =>
    api.doesNotFail('/call/start', { start: startRecord(api, { [field]: 'x'.repeat(1_000_000) }) }),
  )
}
for (const started_at of [
  '2024-02-03',
  '2024-02-03T04:05:06',
  '2024-06-30T23:59:60Z',
  '2024-W05-6',
  1_706_933_106,
  1_706_933_106.5,
]) {
  check('1.17', 'call/start', `started_at ${JSON.stringify(started_at)} does not fail`, async (api) =>
    api.doesNotFail('/call/start', { start: startRecord(api, { started_at }) }),
  )
}

check('1.18', 'call/start', 'a text of 5 MB in inputs reads back', async (api) => {
  const start = startRecord(api, { inputs: { large: 'x'.repeat(5_000_000) } })
  await api.post('/call/start', { start })
  const { large } = (await readCall(api, start['id']))['inputs'] as { large: string }
  same([large.length, /[^x]/.test(large)], [5_000_000, false], 'length of the text')
})
