import type { Api } from './api.ts'
import { requiredBody, TABLES } from './bodies.ts'
import { startRecord } from './call-records.ts'
import { check } from './check.ts'
import { fail, same } from './expect.ts'

/** Section 5: every operation requires valid credentials. */
const base64 = (text: string): string => Buffer.from(text).toString('base64')

check('5 authentication', 'Basic <base64 of username:password> is accepted', async (api) => {
  const { user, password } = api.target
  const header = `Basic ${base64(`${user}:${password}`)}`
  same((await api.send('/calls/query_stats', { project_id: api.project_id }, header)).status, 200, 'status')
})

/** SPEC shows no status codes; Heddle returns 401. */
const expectRejected = async (
  api: Api,
  path: string,
  body: unknown,
  header: string | null,
  ...others: number[]
) => {
  const { status } = await api.send(path, body, header)
  if (![401, ...(api.isHeddle ? [] : [403]), ...others].includes(status)) fail('status', 401, status)
}

const BAD_HEADERS: Readonly<Record<string, (api: Api) => string | null>> = {
  'a request without the Authorization header is rejected': () => null,
  'a scheme other than Basic is rejected': (api) => api.authorization().replace('Basic', 'Bearer'),
  'the header without credentials is rejected': () => 'Basic ',
  'credentials that are not base64 are rejected': () => 'Basic %%%',
  'credentials without a colon are rejected': (api) => `Basic ${base64(api.target.user)}`,
}
for (const table of TABLES) {
  const { path } = table
  const title = `5 ${path.slice(1)}`
  for (const [name, header] of Object.entries(BAD_HEADERS)) {
    check(title, name, async (api) => expectRejected(api, path, requiredBody(table, api), header(api)))
  }
  check(title, 'a wrong password is rejected', async (api) => {
    const header = api.authorization(api.target.user, `${api.target.password}x`)
    // A server may rate-limit password guessing.
    await expectRejected(api, path, requiredBody(table, api), header, 429)
  })
}

check('5 authentication', 'an unknown user is rejected', async (api) =>
  expectRejected(
    api,
    '/calls/query_stats',
    { project_id: api.project_id },
    api.authorization(api.name('nobody')),
  ),
)
check('5 authentication', 'the right password is accepted after wrong ones', async (api) => {
  await api.post('/calls/query_stats', { project_id: api.project_id })
})
check('5 authentication', 'a rejected write has no effect', async (api) => {
  const start = startRecord(api)
  await api.send('/call/start', { start }, null)
  const { call } = await api.post('/call/read', { project_id: api.project_id, id: start['id'] })
  same(call, null, 'call')
})
