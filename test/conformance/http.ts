import { gzipSync } from 'node:zlib'
import type { Api } from './api.ts'
import { existingIds, requiredBody, TABLES } from './bodies.ts'
import { check, checkDecision } from './check.ts'
import { fail, same } from './expect.ts'

/** Section 11: method, media type and JSON of every operation. */

async function request(api: Api, path: string, init: RequestInit = {}): Promise<Response> {
  const { headers, ...rest } = init
  return fetch(api.url + path, {
    method: 'POST',
    ...rest,
    headers: {
      'content-type': 'application/json',
      authorization: api.authorization(),
      ...(headers as Record<string, string>),
    },
  })
}

for (const table of TABLES) {
  const { path } = table
  const subject = path.slice(1)
  const body = async (api: Api, fields: object = {}): Promise<string> =>
    JSON.stringify({ ...requiredBody(table, api), ...(await existingIds(table, api)), ...fields })

  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
    check('11.1', subject, `${method} is rejected`, async (api) => {
      const { status, headers } = await request(api, path, {
        method,
        ...(method === 'GET' ? {} : { body: await body(api) }),
      })
      same([404, 405].includes(status), true, `rejection (${status})`)
      if (api.isHeddle) same(headers.get('allow'), 'POST, OPTIONS', 'allow')
    })
  }
  checkDecision('11.1', subject, 'QUERY without a content type is 405', async (api) => {
    const response = await fetch(api.url + path, {
      method: 'QUERY',
      headers: { authorization: api.authorization() },
    })
    same([response.status, response.headers.get('allow')], [405, 'POST, OPTIONS'], 'response')
  })
  check('11.9', subject, 'a charset parameter is accepted', async (api) => {
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    same((await request(api, path, { headers, body: await body(api) })).status, 200, 'status')
  })
  check('11.10', subject, 'a gzip body is accepted', async (api) => {
    const headers = { 'content-encoding': 'gzip' }
    const { status } = await request(api, path, { headers, body: gzipSync(await body(api)) })
    if (api.isHeddle || status !== 415) same(status, 200, 'status')
  })
  check('11.8', subject, 'a key that the operation does not have is ignored', async (api) => {
    const { status } = await request(api, path, { body: await body(api, { unknown_key: { a: 1 } }) })
    same(status, 200, 'status')
  })
  checkDecision('11.11', subject, 'it is served under a base_url that ends in /traces', async (api) =>
    same((await request(api, `/traces${path}`, { body: await body(api) })).status, 200, 'status'),
  )
  for (const text of [
    '',
    'null',
    '1',
    '"x"',
    '{bad',
    "{'project_id':'x/y'}",
    '{"project_id":"x/y",}',
    '{}trailing',
  ]) {
    check('11.7', subject, `the body ${JSON.stringify(text)} is rejected`, async (api) => {
      const response = await request(api, path, { body: text })
      same([400, 422].includes(response.status), true, `rejection (${response.status})`)
      if (api.isHeddle)
        same(typeof ((await response.json()) as { reason: unknown }).reason, 'string', 'reason')
    })
  }
  checkDecision('12.5', subject, 'credentials are required before the body is read', async (api) =>
    same((await api.send(path, '{bad', null)).status, 401, 'status'),
  )
  checkDecision('12.6', subject, 'a request without credentials gets WWW-Authenticate', async (api) => {
    const response = await fetch(api.url + path, { method: 'POST', body: await body(api) })
    same([response.status, response.headers.get('www-authenticate')?.slice(0, 5)], [401, 'Basic'], 'response')
  })
}

const STATS = '/calls/query_stats'
checkDecision('11.12', 'bodies', 'the message names the position of invalid UTF-8', async (api) => {
  const before = Buffer.from('{"project_id":"日本🎉')
  const { status, text } = await (async () => {
    const sent = await request(api, STATS, {
      body: Buffer.concat([before, Buffer.from([0xff]), Buffer.from('"}')]),
    })
    return { status: sent.status, text: await sent.text() }
  })()
  same(status, 400, 'status')
  if (!text.includes(`byte ${before.length}`)) fail('reason', `byte ${before.length}`, text)
})
check('11.13', 'bodies', 'JSON of 100,000 levels does not fail', async (api) =>
  api.doesNotFail(STATS, '['.repeat(100_000) + ']'.repeat(100_000)),
)
check('11.13', 'bodies', 'a repeated key does not fail', async (api) =>
  api.doesNotFail(STATS, `{"project_id":"x","project_id":${JSON.stringify(api.project_id)}}`),
)
check('11.14', 'bodies', 'an unknown path is not found', async (api) => {
  const { status, text } = await api.send('/no/such/path', {})
  same(status, 404, 'status')
  if (api.isHeddle) same(typeof (JSON.parse(text) as { reason: unknown }).reason, 'string', 'reason')
})

for (const project_id of ['', 'x', '/x', 'x/', 'a/b/c', 'a\\b']) {
  check('13.1', 'project_id', `${JSON.stringify(project_id)} is rejected`, async (api) =>
    api.rejects(STATS, { project_id }),
  )
}
for (const name of [
  'ünï 🎉',
  'a b',
  'a.b-c_d',
  '..',
  '%2e',
  'a\'b"c`;--',
  'a\nb',
  'a\u0000b',
  '%',
  '_',
  'x'.repeat(300),
  ' x',
  'x ',
]) {
  check(
    '13.2',
    'project_id',
    `a project named ${JSON.stringify(name.slice(0, 20))} does not fail`,
    async (api) => api.doesNotFail(STATS, { project_id: `${api.project_id.split('/')[0]}/${name}` }),
  )
}
