import assert from 'node:assert/strict'
import { RawJson } from '../../../src/contract/raw-json.ts'
import { SHOP } from '../seed.ts'
import { test } from '../fixtures.ts'

/** Payloads are shown in their original spelling, and only as text. */

test('numbers are shown in their original spelling', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/calls/shop-0`)
  const call = page.getByRole('article')
  await call.getByText('12345678901234567890').waitFor()
  await call.getByText('1.0', { exact: true }).waitFor()
})

test('a document is searched and its paths are copied', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/calls/shop-0`)
  await page.getByRole('button', { name: 'Search in inputs' }).click()
  await page.getByRole('textbox', { name: 'Search in inputs' }).fill('GOLD')
  await page.getByText('1 of 1').waitFor()
  await page.locator('mark', { hasText: 'gold' }).waitFor()
  await page.getByRole('button', { name: 'Copy path of inputs.user.tier' }).click()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'inputs.user.tier')
})

test('hostile content is shown as text', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/traces`)
  await page.getByRole('row', { name: /<img src=x/ }).waitFor()
  await page.goto(`${url}/${SHOP}/weave/calls/shop-hostile`)
  const call = page.getByRole('article')
  await call.getByText('<script>document.title="owned"</script><b>bold</b>').waitFor()
  await call.getByText('<marquee onstart="document.title=\'owned\'">boom</marquee>').first().waitFor()
  await call.getByText('<svg onload=').waitFor()
  // Bidirectional control characters are escaped.
  await call.getByText(String.raw`\u202egnp.exe\u202c`).waitFor()
  await call.getByText(String.raw`\u001b[31mred\u001b[0m`).waitFor()
  await call.getByRole('button', { name: /show more of 1\.0 MB/ }).click()
  assert.equal(await call.locator('img, svg circle[r="9"], iframe, marquee, b').count(), 0)
  assert.notEqual(await page.title(), 'owned')
})

test('hostile Markdown runs nothing, loads nothing and blocks nothing', async ({ page, url, api }) => {
  const project_id = 'admin/hostile-markdown'
  const loaded: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) loaded.push(request.url())
  })
  const texts = [
    '<img src=x onerror="document.title=\'owned\'"> <script>document.title="owned"</script> end of HTML',
    '![pixel](https://tracker.example/pixel.png) [run](javascript:document.title="owned") [data](data:text/html,<script>1</script>)',
    '[inside](/admin/settings) <https://site.example/page> [\u202egnp.exe](https://site.example)',
    `quotes ${'>'.repeat(20_000)}`,
    `${'>'.repeat(20_000)} nested`,
    `brackets ${'['.repeat(18_000)}`,
    `${'| a '.repeat(5000)}\n${'|---'.repeat(4000)}`,
  ]
  const now = Date.now()
  await api.call('calls_complete', {
    entity: 'admin',
    project: 'hostile-markdown',
    batch: [
      {
        project_id,
        id: 'hostile-markdown',
        trace_id: 'hostile-markdown',
        op_name: 'chat',
        started_at: new Date(now - 2000).toISOString(),
        ended_at: new Date(now - 1000).toISOString(),
        attributes: RawJson.fromValue({}),
        inputs: RawJson.fromValue({ messages: texts.map((content) => ({ role: 'user', content })) }),
        output: RawJson.fromValue('Done'),
        summary: RawJson.fromValue({}),
      },
    ],
  })
  await page.goto(`${url}/${project_id}/weave/calls/hostile-markdown`)
  const conversation = page.getByRole('list', { name: 'Conversation' })
  await conversation.getByText('<script>document.title="owned"</script> end of HTML').waitFor()
  // An image is a link to it.
  await conversation.getByRole('link', { name: 'image: pixel' }).waitFor()
  await conversation.getByText('run', { exact: true }).waitFor()
  for (const name of ['run', 'data', 'inside'])
    assert.equal(await conversation.getByRole('link', { name, exact: true }).count(), 0)
  await conversation.getByRole('link', { name: String.raw`\u202egnp.exe` }).waitFor()
  const more = conversation.getByRole('button', { name: 'Show all' })
  while ((await more.count()) > 0) await more.first().click({ timeout: 5000 })
  assert.equal(await conversation.locator('img, script, iframe, style').count(), 0)
  assert.notEqual(await page.title(), 'owned')
  assert.deepEqual(loaded, [])
})

test('invisible characters are escaped on every page', async ({ page, url, api }) => {
  const project_id = 'admin/unseen'
  const [entity, project] = ['admin', 'unseen']
  const sly = (name: string) => `${name}\u2066gnp\u2069\u200F`
  const seen = (name: string) => String.raw`${name}\u2066gnp\u2069\u200f`
  const now = Date.now()
  const id = 'unseen-1'
  await api.call('calls_complete', {
    entity,
    project,
    batch: [
      {
        project_id,
        id,
        trace_id: id,
        thread_id: sly('thread'),
        turn_id: id,
        op_name: 'plain',
        display_name: sly('name'),
        started_at: new Date(now - 60_000).toISOString(),
        ended_at: new Date(now - 59_000).toISOString(),
        attributes: RawJson.fromValue({}),
        inputs: RawJson.fromValue({ question: sly('asked'), [sly('key')]: 1 }),
        output: RawJson.fromValue(sly('answered')),
        exception: null,
        summary: RawJson.fromValue({ usage: { [sly('model')]: { prompt_tokens: 1 } } }),
      },
      {
        project_id,
        id: 'unseen-2',
        trace_id: 'unseen-2',
        op_name: 'failed',
        started_at: new Date(now - 50_000).toISOString(),
        ended_at: new Date(now - 49_000).toISOString(),
        attributes: RawJson.fromValue({}),
        inputs: RawJson.fromValue({}),
        output: RawJson.fromValue(null),
        exception: `Traceback:\n  ${sly('frame')}\nValueError: boom`,
        summary: RawJson.fromValue({}),
      },
    ],
  })
  await api.call('feedback_create', {
    project_id,
    weave_ref: `weave:///${project_id}/call/${id}`,
    feedback_type: 'wandb.note.1',
    payload: RawJson.fromValue({ note: sly('note') }),
  })
  const main = page.getByRole('main')
  const shows = (name: string) => main.getByText(seen(name)).first().waitFor()
  const here = `${url}/${project_id}/weave`
  await page.goto(`${here}/traces?columns=name,input,output,model,thread,inputs.question,output`)
  for (const name of ['name', 'key', 'asked', 'answered', 'model', 'thread']) await shows(name)
  await page.goto(`${here}/traces?text=gnp`)
  await page.locator('mark', { hasText: 'gnp' }).first().waitFor()
  await shows('name')
  await page.goto(`${here}/calls/${id}?tab=feedback`)
  await shows('note')
  await page.goto(`${here}/calls/unseen-2`)
  await shows('frame')
  // Copied text is unescaped.
  await page.getByRole('button', { name: 'Copy exception' }).click()
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /frame\u2066gnp\u2069\u200F/)
  await page.goto(`${here}/threads?range=all`)
  await shows('thread')
  await page.getByRole('link', { name: /^thread/ }).click()
  await shows('asked')
  await shows('answered')
  const query = encodeURIComponent("SELECT display_name FROM calls WHERE display_name != ''")
  await page.goto(`${here}/sql?query=${query}`)
  await shows('name')
  // No unescaped character is on the page.
  assert.doesNotMatch(await main.innerText(), /[\u2066-\u2069\u200E\u200F]/)
})
