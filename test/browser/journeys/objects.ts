import assert from 'node:assert/strict'
import { RawJson } from '../../../src/contract/raw-json.ts'
import type { Client } from '../../../src/client/client.ts'
import { test } from '../fixtures.ts'
import { waitUntil } from '../waits.ts'

const PROJECT = 'admin/objects'

/** Publishes a version and returns its digest. */
async function publish(api: Client, object_id: string, val: object): Promise<string> {
  const { digest } = await api.call('obj_create', {
    obj: { project_id: PROJECT, object_id, val: RawJson.fromValue(val) },
  })
  return digest
}

function object(class_name: string, base: string | undefined, fields: object): object {
  const _bases = [...(base === undefined ? [] : [base]), 'Object', 'BaseModel']
  return { _type: class_name, _class_name: class_name, _bases, ...fields }
}

async function publishOp(api: Client, name: string, code: string): Promise<string> {
  const { digest } = await api.call('file_create', { project_id: PROJECT, file: Buffer.from(code) })
  return publish(api, name, {
    _type: 'CustomWeaveType',
    weave_type: { type: 'Op' },
    files: { 'obj.py': digest },
  })
}

const prompt = (content: string): object =>
  object('MessagesPrompt', 'Prompt', { name: 'tone', messages: [{ role: 'system', content }] })

/** Published objects: find, read, label, compare and delete them. */

test('objects are found by kind and name, with the keyboard', async ({ page, url, api }) => {
  await publish(api, 'tone', prompt('Be kind.'))
  await publish(api, 'clerk', object('Clerk', 'Model', { temperature: 0.2 }))
  await publishOp(api, 'answer_letter', 'def answer_letter():\n    return 1\n')
  await page.goto(`${url}/${PROJECT}/weave/objects`)
  const table = page.getByRole('table', { name: 'Objects' })
  await table.getByRole('link', { name: 'clerk', exact: true }).waitFor()
  await page.getByRole('navigation', { name: 'Object kinds' }).getByRole('link', { name: 'Prompts' }).click()
  await page.waitForURL(`**/${PROJECT}/weave/prompts`)
  await table.getByRole('link', { name: 'clerk', exact: true }).waitFor({ state: 'detached' })
  await table.getByRole('link', { name: 'tone', exact: true }).waitFor()
  await page.getByRole('link', { name: 'All', exact: true }).click()
  await page.keyboard.press('/')
  await page.keyboard.type('letter')
  await waitUntil('one row', async () => (await table.getByRole('row').count()) === 2)
  assert.match(page.url(), /name=letter/)
  await page.reload()
  await table.getByRole('link', { name: 'answer_letter', exact: true }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Code of obj.py' }).getByText('answer_letter').waitFor()
})

test('a kind without objects says how to create one', async ({ page, url }) => {
  await page.goto(`${url}/admin/nothing-published/weave/scorers`)
  await page.getByRole('heading', { name: 'No scorers yet' }).waitFor()
  await page.goto(`${url}/${PROJECT}/weave/objects?name=there-is-none`)
  await page.getByRole('button', { name: 'Clear filter' }).click()
  await page.getByRole('table', { name: 'Objects' }).getByRole('row').nth(1).waitFor()
})

test('the link that an SDK prints for an op leads to its code and its calls', async ({ page, url, api }) => {
  const digest = await publishOp(
    api,
    'sort_mail',
    '@weave.op\ndef sort_mail(letters):\n    # by hand\n    ...\n',
  )
  await api.call('call_start', {
    start: {
      project_id: PROJECT,
      id: 'mail-1',
      op_name: `weave:///${PROJECT}/op/sort_mail:${digest}`,
      started_at: new Date().toISOString(),
      attributes: RawJson.fromValue({}),
      inputs: RawJson.fromValue({ letters: 3 }),
    },
  })
  await page.goto(`${url}/${PROJECT}/weave/ops/sort_mail/versions/${digest}`)
  await page.getByRole('region', { name: 'Code of obj.py' }).getByText('# by hand').waitFor()
  await page.getByRole('tab', { name: 'Usage' }).click()
  await page.getByRole('heading', { name: /Called once/ }).waitFor()
  await page.getByRole('region', { name: 'Calls' }).getByRole('link', { name: 'sort_mail' }).click()
  await page.waitForURL('**/weave/calls/mail-1*')
})

test('a ref in a value links to its object', async ({ page, url, api }) => {
  const digest = await publish(api, 'greeting', prompt('Hello.'))
  const ref = `weave:///${PROJECT}/object/greeting:${digest}`
  const model = await publish(
    api,
    'greeter',
    object('Greeter', 'Model', { prompt: ref, hidden: '<b>no</b>' }),
  )
  await page.goto(`${url}/${PROJECT}/weave/models/greeter/versions/${model}`)
  await page.getByText('<b>no</b>').waitFor()
  await page.getByRole('link', { name: ref }).click()
  await page.getByRole('list', { name: 'Conversation' }).getByText('Hello.').waitFor()
  await page.getByRole('tab', { name: 'Usage' }).click()
  await page.getByRole('link', { name: 'greeter v0' }).waitFor()
})

test('any two versions are compared, and the URL shares the view', async ({ page, url, api }) => {
  await publish(api, 'rules', prompt('Be kind.\nBe brief.'))
  await publish(api, 'rules', prompt('Be kind.\nBe very brief.'))
  await publish(api, 'rules', prompt('Be kind.\nBe very brief.\nName your sources.'))
  await page.goto(`${url}/${PROJECT}/weave/prompts/rules`)
  await page.getByRole('checkbox', { name: 'Select v2' }).check()
  await page.getByRole('checkbox', { name: 'Select v0' }).check()
  await page.getByRole('button', { name: 'Compare' }).click()
  const diff = page.getByRole('group', { name: 'Diff of v0 and v2' })
  await diff.getByText('Name your sources.').waitFor()
  await diff.locator('b', { hasText: 'very' }).waitFor()
  await page.getByText('Unified').click()
  await page.waitForURL(/layout=unified/)
  await page.reload()
  await diff.getByText('Name your sources.').waitFor()
  await page.getByRole('button', { name: 'From version: v0' }).click()
  await page.getByRole('menuitem', { name: /^v1/ }).click()
  await page.getByRole('group', { name: 'Diff of v1 and v2' }).waitFor()
  // Each message by itself, as the text that was written; the version before is the default.
  await page.goto(`${url}/${PROJECT}/weave/prompts/rules/diff`)
  await page
    .getByRole('region', { name: 'Message 1: system' })
    .getByRole('group', { name: 'Diff of v1 and v2' })
    .waitFor()
  assert.equal(await page.getByText(/\\n/).count(), 0)
})

test('code is compared as code', async ({ page, url, api }) => {
  const lines = Array.from({ length: 3000 }, (_, i) => `    step(${i})`)
  await publishOp(api, 'long_plan', `def long_plan():\n${lines.join('\n')}\n`)
  await publishOp(api, 'long_plan', `def long_plan():\n${lines.with(1500, '    rest()').join('\n')}\n`)
  await page.goto(`${url}/${PROJECT}/weave/ops/long_plan/diff?from=v0&to=v1`)
  const code = page.getByRole('region', { name: 'obj.py' })
  await code.getByText('rest()').waitFor()
  await code
    .getByRole('button', { name: /^Show 1,49\d unchanged lines$/ })
    .first()
    .click()
  await code.getByRole('region', { name: 'Diff lines' }).getByText('def long_plan():').first().waitFor()
})

test('a tag and an alias are added to a version and removed', async ({ page, url, api }) => {
  await publish(api, 'house-style', prompt('Plain words.'))
  await page.goto(`${url}/${PROJECT}/weave/prompts/house-style/versions/latest`)
  const add = page.getByRole('button', { name: 'Add tag or alias' })
  await add.click()
  await page.getByRole('textbox', { name: 'New tag' }).fill('reviewed')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Remove tag reviewed' }).waitFor()
  await add.click()
  await page.getByText('Alias', { exact: true }).click()
  await page.getByRole('textbox', { name: 'New alias' }).fill('v3')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText(/is not a valid alias/).waitFor()
  await page.getByRole('textbox', { name: 'New alias' }).fill('production')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Remove alias production' }).waitFor()
  await page.goto(`${url}/${PROJECT}/weave/prompts/house-style/versions/production`)
  await page.getByText('Plain words.').first().waitFor()
  await page.getByRole('button', { name: 'Remove tag reviewed' }).click()
  await page.getByRole('button', { name: 'Remove tag reviewed' }).waitFor({ state: 'detached' })
})

test('a version is deleted, then the object', async ({ page, url, api }) => {
  await publish(api, 'scrap', object('Scrap', undefined, { n: 1 }))
  await publish(api, 'scrap', object('Scrap', undefined, { n: 2 }))
  await page.goto(`${url}/${PROJECT}/weave/objects/scrap`)
  await page.getByRole('checkbox', { name: 'Select v1' }).check()
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete v1' }).click()
  await page.getByRole('link', { name: 'v1', exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Delete object' }).click()
  await page.getByRole('button', { name: 'Delete all versions' }).click()
  await page.waitForURL('**/weave/objects')
  await page.goto(`${url}/${PROJECT}/weave/objects/scrap`)
  await page.getByRole('heading', { name: 'Object not found' }).waitFor()
})

test('an unknown kind in the URL is not a page', async ({ page, url }) => {
  await page.goto(`${url}/${PROJECT}/weave/nonsense/x`)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
})
