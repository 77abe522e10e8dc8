import type { Api } from './api.ts'
import { requiredBody, TABLES } from './bodies.ts'
import { startRecord } from './call-records.ts'
import { row } from './check.ts'
import { fail, same } from './expect.ts'

/** Section 5: no operation answers without the right credentials. */
const base64 = (text: string): string => Buffer.from(text).toString('base64')

row('5 authentication', 'Basic <base64 of username:password> is accepted', async (api) => {
  const { user, password } = api.target
  const header = `Basic ${base64(`${user}:${password}`)}`
  same((await api.send('/calls/query_stats', { project_id: api.project_id }, header)).status, 200, 'status')
})

/** SPEC shows no status codes: ours is 401. */
const refused = async (api: Api, path: string, body: unknown, header: string | null, ...others: number[]) => {
  const { status } = await api.send(path, body, header)
  if (![401, ...(api.own ? [] : [403]), ...others].includes(status)) fail('status', 401, status)
}

const BAD: Readonly<Record<string, (api: Api) => string | null>> = {
  'a request without the header Authorization is refused': () => null,
  'a scheme other than Basic is refused': (api) => api.authorization().replace('Basic', 'Bearer'),
  'the header without credentials is refused': () => 'Basic ',
  'credentials that are not base64 are refused': () => 'Basic %%%',
  'credentials without a colon are refused': (api) => `Basic ${base64(api.target.user)}`,
}
for (const table of TABLES) {
  const { path } = table
  const title = `5 ${path.slice(1)}`
  for (const [name, header] of Object.entries(BAD)) {
    row(title, name, async (api) => refused(api, path, requiredBody(table, api), header(api)))
  }
  row(title, 'a wrong password is refused', async (api) => {
    const header = api.authorization(api.target.user, `${api.target.password}x`)
    // A server may slow down guessing.
    await refused(api, path, requiredBody(table, api), header, 429)
  })
}

row('5 authentication', 'a user that does not exist is refused', async (api) =>
  refused(api, '/calls/query_stats', { project_id: api.project_id }, api.authorization(api.name('nobody'))),
)
row('5 authentication', 'the right password still opens after wrong ones', async (api) => {
  await api.post('/calls/query_stats', { project_id: api.project_id })
})
row('5 authentication', 'a refused write is not done', async (api) => {
  const start = startRecord(api)
  await api.send('/call/start', { start }, null)
  const { call } = await api.post('/call/read', { project_id: api.project_id, id: start['id'] })
  same(call, null, 'call')
})
