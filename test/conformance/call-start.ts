import type { Api } from './api.ts'
import { readCall, startRecord } from './call-records.ts'
import { once, check, checkDecision } from './check.ts'
import { hasType, recent, same } from './expect.ts'

/** Section 1: call/start. */
const WRONG_VALUES: Readonly<Record<string, readonly unknown[]>> = {
  project_id: [['a list'], 1, null, {}, 'no-slash', 'a/b/c', '/x', 'x/', ''],
  id: [['a list'], 1, {}, true],
  op_name: [['a list'], 1, null, {}, ''],
  display_name: [['a list'], 1, {}],
  trace_id: [['a list'], 1, {}],
  parent_id: [['a list'], 1, {}],
  attributes: ['a text', 1, [], true],
  inputs: ['a text', 1, [], true],
  wb_run_id: [['a list'], 1, {}],
  wb_user_id: [1, {}],
}
for (const [field, values] of Object.entries(WRONG_VALUES)) {
  for (const value of values) {
    check(
      '1.4',
      'call/start',
      `start.${field} ${JSON.stringify(value)} is rejected, naming it`,
      async (api) => api.rejectsNaming(field, '/call/start', { start: startRecord(api, { [field]: value }) }),
    )
  }
}
for (const field of ['project_id', 'op_name']) {
  checkDecision('1.2', 'call/start', `start.${field} is required`, async (api) => {
    await api.rejectsNaming(field, '/call/start', { start: startRecord(api, { [field]: undefined }) })
  })
}
const OPTIONAL = 'id trace_id display_name parent_id started_at attributes inputs wb_user_id wb_run_id'
for (const field of OPTIONAL.split(' ')) {
  for (const [name, value] of [
    ['null', null],
    ['omitted', undefined],
  ] as const) {
    check('1.3', 'call/start', `start.${field} may be ${name}`, async (api) => {
      const { id } = await api.postUndocumented('/call/start', {
        start: startRecord(api, { [field]: value }),
      })
      same((await readCall(api, id))['id'], id, 'id')
    })
  }
}
for (const field of ['op_name', 'display_name', 'wb_run_id', 'id', 'trace_id', 'parent_id']) {
  for (const [name, text] of [
    ['beyond ASCII', (api: Api) => `ünï 🎉/:*${api.id()}`],
    ['of 256 characters', (api: Api) => api.id().padEnd(256, 'x')],
  ] as const) {
    checkDecision('1.10', 'call/start', `start.${field} ${name} reads back`, async (api) => {
      const start = startRecord(api, { [field]: text(api) })
      await api.post('/call/start', { start })
      same((await readCall(api, start['id']))[field], start[field], field)
    })
  }
}

/** Documents that a server changes if it parses them and writes them again. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  'characters beyond ASCII and escapes': String.raw`{"ключ":"日本語 🎉 \u0000 \ud83c\udf89 \n"}`,
  'integers beyond 64 bits': '{"n":123456789012345678901234567890}',
  'integers of 64 bits': '{"n":9223372036854775807,"m":-9223372036854775808,"u":18446744073709551615}',
  floats: '{"a":1.0,"b":1e300,"c":-0.0,"d":1E5,"e":0.1000000000000000055511151231257827}',
  '100 levels': `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`,
  'odd keys': '{"":1," ":2,"a.b":3,"$x":4,"__proto__":{"polluted":1},"constructor":5}',
  'the order of keys': '{"z":1,"a":2,"10":3,"9":4}',
  'white space': '{ "a" : [ 1 , 2 ] }',
  'empty values': '{"a":"","b":[],"c":{},"d":null,"e":false,"f":0}',
}
for (const [name, document] of Object.entries(DOCUMENTS)) {
  checkDecision('3.13', 'call', `inputs with ${name} read back byte for byte`, async (api) => {
    const start = startRecord(api, { inputs: 0 })
    const body = JSON.stringify({ start }).replace('"inputs":0', `"inputs":${document}`)
    same((await api.send('/call/start', body)).status, 200, 'status')
    const { text } = await api.send('/call/read', { project_id: api.project_id, id: start['id'] })
    same(text.includes(`"inputs":${document}`), true, 'inputs as sent')
  })
}
check('1.1', 'call/start', 'the response has the id that was sent', async (api) => {
  const start = startRecord(api)
  same((await api.post('/call/start', { start }))['id'], start['id'], 'id')
})
check('1.1', 'call/start', 'the response has the trace_id that was sent', async (api) => {
  const start = startRecord(api)
  same((await api.post('/call/start', { start }))['trace_id'], start['trace_id'], 'trace_id')
})

/** A minimal start record; another server may require more fields. */
const minimalStart = once(async (api) => {
  const start = { project_id: api.project_id, op_name: api.name('bare') }
  const response = await api.postUndocumented('/call/start', { start })
  const again = await api.postUndocumented('/call/start', { start })
  return { response, again, call: await readCall(api, response['id']) }
})
check('1.5', 'call/start', 'a missing id is generated', async (api) => {
  const { response, again, call } = await minimalStart(api)
  hasType(response['id'], 'string', 'id')
  same(call['id'], response['id'], 'id read')
  same(response['id'] !== again['id'] && response['id'] !== '', true, 'two ids differ')
})
check('1.6', 'call/start', 'a missing trace_id is generated', async (api) => {
  const { response, again, call } = await minimalStart(api)
  hasType(response['trace_id'], 'string', 'trace_id')
  same(call['trace_id'], response['trace_id'], 'trace_id read')
  same(response['trace_id'] !== again['trace_id'] && response['trace_id'] !== '', true, 'two traces differ')
})
check('1.7', 'call/start', 'a missing started_at is the current time', async (api) =>
  recent((await minimalStart(api)).call['started_at']),
)
check('1.8', 'call/start', 'missing attributes are {}', async (api) =>
  same((await minimalStart(api)).call['attributes'], {}),
)
check('1.8', 'call/start', 'missing inputs are {}', async (api) =>
  same((await minimalStart(api)).call['inputs'], {}),
)
checkDecision('1.14', 'call/start', 'a wb_user_id is stored as sent, beside the sender', async (api) => {
  const start = startRecord(api, { wb_user_id: 'somebody-else', sent_by: 'somebody-else' })
  await api.post('/call/start', { start })
  const call = await readCall(api, start['id'])
  same(call['wb_user_id'], 'somebody-else', 'wb_user_id')
  same(call['sent_by'], (await minimalStart(api)).call['wb_user_id'], 'sent_by')
})
