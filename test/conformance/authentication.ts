import type { Api } from './api.ts'
import { requiredBody, TABLES } from './bodies.ts'
import { startRecord } from './call-records.ts'
import { check, checkDecision } from './check.ts'
import { fail, same } from './expect.ts'

/** Section 12: every operation requires valid credentials. */
const base64 = (text: string): string => Buffer.from(text).toString('base64')

check('12.1', 'authentication', 'Basic <base64 of username:password> is accepted', async (api) => {
  const { user, password } = api.target
  const header = `Basic ${base64(`${user}:${password}`)}`
  same((await api.send('/calls/query_stats', { project_id: api.project_id }, header)).status, 200, 'status')
})

/** Other servers may return 403. */
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

const BAD_HEADERS: Readonly<Record<string, readonly [rule: string, header: (api: Api) => string | null]>> = {
  'a request without the Authorization header is rejected': ['12.2', () => null],
  'a scheme other than Basic is rejected': ['12.3', (api) => api.authorization().replace('Basic', 'Bearer')],
  'the header without credentials is rejected': ['12.3', () => 'Basic '],
  'credentials that are not base64 are rejected': ['12.3', () => 'Basic %%%'],
  'credentials without a colon are rejected': ['12.3', (api) => `Basic ${base64(api.target.user)}`],
}
for (const table of TABLES) {
  const { path } = table
  const subject = path.slice(1)
  for (const [name, [rule, header]] of Object.entries(BAD_HEADERS)) {
    check(rule, subject, name, async (api) =>
      expectRejected(api, path, requiredBody(table, api), header(api)),
    )
  }
  check('12.4', subject, 'a wrong password is rejected', async (api) => {
    const header = api.authorization(api.target.user, `${api.target.password}x`)
    // A server may rate-limit password guessing.
    await expectRejected(api, path, requiredBody(table, api), header, 429)
  })
}

/** Names of their own, so that no row is rejected for the attempts of another. */
const BAD_CREDENTIALS: Readonly<Record<string, readonly [rule: string, header: (api: Api) => string]>> = {
  'an empty header': ['12.3', () => ''],
  'the scheme alone': ['12.3', () => 'Basic'],
  'the scheme Digest': ['12.3', (api) => api.authorization().replace('Basic', 'Digest')],
  'bytes that are not UTF-8': [
    '12.3',
    () => `Basic ${Buffer.from('who:\xff\xfe', 'latin1').toString('base64')}`,
  ],
  'an empty password': ['12.4', (api) => api.authorization(api.name('empty'), '')],
  'a password beyond ASCII': ['12.4', (api) => api.authorization(api.name('unicode'), 'pässwörd')],
  'the password of another user': ['12.4', (api) => api.authorization(api.name('other'))],
  'the right password with a space behind it': [
    '12.4',
    (api) => api.authorization(api.target.user, `${api.target.password} `),
  ],
  'an API key that does not exist': ['12.4', (api) => api.authorization('api', `hd_${'x'.repeat(43)}`)],
}
for (const [name, [rule, header]] of Object.entries(BAD_CREDENTIALS)) {
  check(rule, 'authentication', `${name} is rejected`, async (api) =>
    expectRejected(api, '/calls/query_stats', { project_id: api.project_id }, header(api), 429),
  )
}
for (const scheme of ['basic', 'BASIC']) {
  checkDecision('12.8', 'authentication', `the scheme may be spelled ${scheme}`, async (api) => {
    const header = api.authorization().replace('Basic', scheme)
    same((await api.send('/calls/query_stats', { project_id: api.project_id }, header)).status, 200, 'status')
  })
}
check('12.9', 'authentication', 'credentials of 20,000 characters do not fail', async (api) => {
  const header = api.authorization('a'.repeat(20_000), 'b')
  const { status } = await api.send('/calls/query_stats', { project_id: api.project_id }, header)
  if (status >= 500) fail('status', 'a status below 500', status)
})
check('12.4', 'authentication', 'an unknown user is rejected', async (api) =>
  expectRejected(
    api,
    '/calls/query_stats',
    { project_id: api.project_id },
    api.authorization(api.name('nobody')),
  ),
)
check('12.1', 'authentication', 'the right password is accepted after wrong ones', async (api) => {
  await api.post('/calls/query_stats', { project_id: api.project_id })
})
check('12.7', 'authentication', 'a rejected write has no effect', async (api) => {
  const start = startRecord(api)
  await api.send('/call/start', { start }, null)
  const { call } = await api.post('/call/read', { project_id: api.project_id, id: start['id'] })
  same(call, null, 'call')
})
