import { describe, expect, test } from 'vitest'
import { useServer } from '../harness.ts'

/** Pages for the links that SDKs print. They need no credentials and reveal nothing that is not in the link. */

const server = useServer()

test.each([
  ['/acme/chat%20bot/weave', 'Project', 'acme/chat bot', '/calls/stream_query'],
  ['/acme/demo/weave/calls', 'Project', 'acme/demo', '/calls/stream_query'],
  ['/acme/demo/weave/objects', 'Project', 'acme/demo', '/objs/query'],
  ['/acme/demo/r/call/0190c5b0-3f4e', 'Call', '0190c5b0-3f4e', '/call/read'],
  ['/acme/demo/weave/calls/0190c5b0-3f4e?view=x', 'Call', '0190c5b0-3f4e', '/call/read'],
  ['/acme/demo/weave/objects/my%20m%C3%B6del/versions/abc', 'Object', 'my mödel:abc', '/obj/read'],
  ['/acme/demo/weave/ops/answer/versions/abc', 'Op', 'answer:abc', '/obj/read'],
  ['/acme/demo/weave/leaderboards/best', 'Object', 'best', '/obj/read'],
  ['/acme/demo/weave/agents/conversations/c1', 'Conversation', 'c1', '/calls/stream_query'],
])('%s shows the item and how to read it', async (link, kind, name, path) => {
  const response = await server.as('')(link)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(response.text).toContain(`<h1>${kind} <code>${name}</code></h1>`)
  expect(response.text).toContain(`$WANDB_BASE_URL/traces${path}`)
  expect(response.text).toContain('web UI')
})

describe('a malicious link', () => {
  const script = '<script>alert(1)</script>"\''

  test('is shown as text only', async () => {
    const name = encodeURIComponent(script)
    for (const link of [
      `/${name}/${name}/weave`,
      `/${name}/${name}/r/call/${name}`,
      `/a/b/weave/objects/${name}/versions/${name}`,
    ]) {
      const response = await server.as('')(link)
      expect(response.status).toBe(200)
      expect(response.text).not.toMatch(/<script|alert\(1\)<\/script/)
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(response.headers.get('x-frame-options')).toBe('DENY')
    }
  })

  test('cannot inject a command into the one that users copy', async () => {
    const response = await server.as('')(`/a/b/r/call/${encodeURIComponent("x'; rm -rf ~; '\u202e\n")}`)
    const command = response.text.replaceAll(/&#(\d+);/g, (_, code: string) =>
      String.fromCharCode(Number(code)),
    )
    expect(command).toContain(String.raw`"id":"x'\''; rm -rf ~; '\''\u202e\n"}'`)
  })
})

test('the page is the same whether or not the project exists', async () => {
  await server.post('/obj/create', { obj: { project_id: 'acme/real', object_id: 'm', val: 1 } })
  const page = async (project: string): Promise<string> =>
    (await server.as('')(`/acme/${project}/weave/objects/m/versions/latest`)).text.replaceAll(project, '<p>')
  expect(await page('real')).toBe(await page('none'))
})

test('other paths with an entity and a project are not found', async () => {
  expect((await server.as('')('/acme/demo')).status).toBe(404)
  expect((await server.as('')('/acme/demo/workspace')).status).toBe(404)
  expect((await server.as('')('/acme/demo/weave', {})).status).toBe(405)
  expect((await server.as('')('/acme/%zz/weave')).status).toBe(400)
})
