import { describe, expect, test } from 'vitest'
import { useServer } from '../harness.ts'

/** The links that SDKs print lead somewhere, for anybody who has the link, and tell nothing that is not in it. */

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
])('%s names the item and how to read it', async (link, what, name, path) => {
  const answer = await server.as('')(link)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(answer.text).toContain(`<h1>${what} <code>${name}</code></h1>`)
  expect(answer.text).toContain(`$WANDB_BASE_URL/traces${path}`)
  expect(answer.text).toContain('web UI')
})

describe('a link made by somebody who means harm', () => {
  const script = '<script>alert(1)</script>"\''

  test('is only text on the page', async () => {
    const name = encodeURIComponent(script)
    for (const link of [
      `/${name}/${name}/weave`,
      `/${name}/${name}/r/call/${name}`,
      `/a/b/weave/objects/${name}/versions/${name}`,
    ]) {
      const answer = await server.as('')(link)
      expect(answer.status).toBe(200)
      expect(answer.text).not.toMatch(/<script|alert\(1\)<\/script/)
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(answer.headers.get('x-frame-options')).toBe('DENY')
    }
  })

  test('cannot smuggle a command into the one that people copy', async () => {
    const answer = await server.as('')(`/a/b/r/call/${encodeURIComponent("x'; rm -rf ~; '\u202e\n")}`)
    const command = answer.text.replaceAll(/&#(\d+);/g, (_, code: string) =>
      String.fromCharCode(Number(code)),
    )
    expect(command).toContain(String.raw`"id":"x'\''; rm -rf ~; '\''\u202e\n"}'`)
  })
})

test('says the same whether the project exists or not', async () => {
  await server.post('/obj/create', { obj: { project_id: 'acme/real', object_id: 'm', val: 1 } })
  const page = async (project: string): Promise<string> =>
    (await server.as('')(`/acme/${project}/weave/objects/m/versions/latest`)).text.replaceAll(project, '<p>')
  expect(await page('real')).toBe(await page('none'))
})

test('other paths of two names are still nothing', async () => {
  expect((await server.as('')('/acme/demo')).status).toBe(404)
  expect((await server.as('')('/acme/demo/workspace')).status).toBe(404)
  expect((await server.as('')('/acme/demo/weave', {})).status).toBe(405)
  expect((await server.as('')('/acme/%zz/weave')).status).toBe(400)
})
