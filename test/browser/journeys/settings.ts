import assert from 'node:assert/strict'
import { RawJson } from '../../../src/contract/raw-json.ts'
import { seedReviewCalls, seedScores } from '../review-seed.ts'
import { SHOP } from '../seed.ts'
import { test } from '../fixtures.ts'

/** Journeys through the settings. */

test('an API key is created, shown once, works, and is revoked', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/settings`)
  await page.getByRole('tab', { name: 'API keys' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('night job')
  await page.getByRole('button', { name: 'Create API key' }).click()
  await page.getByText('Copy the key now. It is not shown again.').waitFor()
  await page.getByRole('button', { name: 'Copy API key' }).click()
  const key = await page.evaluate(() => navigator.clipboard.readText())
  const listProjects = (): Promise<Response> =>
    fetch(`${url}/api/v1/projects`, {
      headers: { authorization: `Basic ${Buffer.from(`api:${key}`).toString('base64')}` },
    })
  assert.equal((await listProjects()).status, 200)
  await page.reload()
  await page.getByRole('rowheader', { name: 'night job' }).waitFor()
  assert.ok(!(await page.getByRole('main').innerText()).includes(key))
  await page.getByRole('button', { name: 'Revoke night job' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click()
  await page.getByRole('rowheader', { name: 'night job' }).waitFor({ state: 'detached' })
  assert.equal((await listProjects()).status, 401)
})

test('a member is added, changes role, and is removed', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/settings`)
  const form = page.getByRole('form', { name: 'Add member' })
  await form.getByRole('textbox', { name: 'Username' }).fill('nobody-knows')
  await form.getByRole('button', { name: 'Add' }).click()
  await page
    .getByRole('alert')
    .getByText('There is no user “nobody-knows”. Check the spelling, or create the user first.')
    .waitFor()
  await form.getByRole('textbox', { name: 'Username' }).fill('admin')
  await form.getByRole('combobox', { name: 'Role' }).selectOption('read')
  await form.getByRole('button', { name: 'Add' }).click()
  const role = page.getByRole('combobox', { name: 'Role of admin' })
  // A reload would cancel the request. The one that added the member may still be under way.
  const isSaved = page.waitForResponse(
    (response) =>
      response.url().endsWith('/members/admin') && response.request().postData()?.includes('write') === true,
  )
  await role.selectOption('write')
  await isSaved
  await page.reload()
  await role.waitFor()
  assert.equal(await role.inputValue(), 'write')
  await page.getByRole('button', { name: 'Remove admin' }).click()
  await role.waitFor({ state: 'detached' })
  await page.getByRole('cell', { name: 'Entity owner' }).waitFor()
})

test('a project without members says who has access', async ({ page, url, api }) => {
  await api.call('call_start', { start: { project_id: 'elsewhere/lonely', id: 'call-1', op_name: 'answer' } })
  await page.goto(`${url}/elsewhere/lonely/weave/settings`)
  await page.getByText('Administrators of the server have access to every project.').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'server settings' }).waitFor()
})

test('storage is shown by kind of data', async ({ page, url }) => {
  await page.goto(`${url}/${SHOP}/weave/settings?tab=storage`)
  await page.getByRole('heading', { name: 'Storage' }).waitFor()
  await page.getByText(/\d MB/).first().waitFor()
  await page.getByRole('link', { name: 'costs page', exact: true }).click()
  await page.getByRole('heading', { name: 'Prices' }).waitFor()
})

test('data is deleted only after the project name is typed', async ({ page, url, api }) => {
  const project_id = 'admin/deletion'
  const at = (ms: number): string => new Date(Date.now() - ms).toISOString()
  const call = (id: string, ageMs: number) => ({
    project_id,
    id,
    trace_id: id,
    op_name: 'answer',
    started_at: at(ageMs),
    ended_at: at(ageMs - 10),
    attributes: RawJson.fromValue({}),
    inputs: RawJson.fromValue({}),
    output: RawJson.fromValue(null),
    summary: RawJson.fromValue({}),
  })
  const day = 86_400_000
  const batch = [call('young', day), ...Array.from({ length: 3 }, (_, i) => call(`old-${i}`, 200 * day))]
  await api.call('calls_complete', { entity: 'admin', project: 'deletion', batch })
  await page.goto(`${url}/${project_id}/weave/settings?tab=danger`)
  const name = page.getByRole('textbox', { name: 'To delete 3 calls, type admin/deletion' })
  await name.fill('admin/delet')
  assert.ok(await page.getByRole('button', { name: 'Delete', exact: true }).isDisabled())
  await name.fill(project_id)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('3 calls deleted.').waitFor()
  await page.getByRole('radio', { name: 'All calls' }).check()
  await page.getByRole('textbox', { name: 'To delete 1 call, type admin/deletion' }).waitFor()
})

test('a retention policy is previewed, saved and shown again', async ({ page, url, api }) => {
  const project_id = 'admin/retained'
  const at = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString()
  const call = (id: string, days: number) => ({
    project_id,
    id,
    trace_id: id,
    op_name: 'answer',
    started_at: at(days),
    ended_at: at(days),
    attributes: RawJson.fromValue({}),
    inputs: RawJson.fromValue({ question: 'What is kept?' }),
    output: RawJson.fromValue('metrics'),
    summary: RawJson.fromValue({ weave: { payload_expired: id === 'expired' } }),
  })
  const batch = [
    call('young', 1),
    call('middle', 60),
    call('old', 200),
    call('scored', 200),
    call('expired', 2),
  ]
  await api.call('calls_complete', { entity: 'admin', project: 'retained', batch })
  await api.call('feedback_create', {
    project_id,
    weave_ref: `weave:///${project_id}/call/scored`,
    feedback_type: 'custom',
    payload: RawJson.fromValue({ score: 1 }),
  })
  await page.goto(`${url}/${project_id}/weave/settings`)
  await page.getByRole('tab', { name: 'Retention' }).click()
  await page.getByRole('textbox', { name: 'Delete calls after (days)' }).fill('0')
  await page.getByText('Limits must be positive numbers.').waitFor()
  await page.getByRole('textbox', { name: 'Delete calls after (days)' }).fill('90')
  await page.getByRole('textbox', { name: 'Delete payloads after (days)' }).fill('30')
  await page.getByRole('textbox', { name: 'Keep traces with a tag' }).fill('golden, reviewed')
  await page.getByRole('button', { name: 'Preview' }).click()
  const preview = page.getByRole('status', { name: 'Preview' })
  await preview.getByText(/^Calls to delete: 1 \(/).waitFor()
  await preview.getByText(/^Payloads to delete: 1 \(/).waitFor()
  await preview.getByText('Older calls to keep: 1.').waitFor()
  await page.getByRole('button', { name: 'Save policy' }).click()
  await page.getByText('Saved. The next run applies it').waitFor()
  await page.reload()
  await page.getByRole('textbox', { name: 'Delete calls after (days)' }).waitFor()
  const inputs = page.getByRole('form', { name: 'Retention' }).getByRole('textbox')
  const values = await inputs.evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value))
  assert.deepEqual(values, ['90', '', '30', '', 'golden, reviewed'])
  await page.goto(`${url}/${project_id}/weave/calls/expired`)
  await page.getByText('were deleted by the retention policy of the project').waitFor()
})

test('a project gets a display name, and its id stays', async ({ page, url, api }) => {
  const project_id = 'admin/renamed'
  await api.call('call_start', { start: { project_id, id: 'call-1', op_name: 'answer' } })
  await page.goto(`${url}/${project_id}/weave/settings?tab=general`)
  await page.getByText('SDKs, API, URLs and refs keep using it').waitFor()
  await page.getByRole('textbox', { name: 'Display name' }).fill('Support bot')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await page.getByText('Renamed.').waitFor()
  await page.getByRole('banner').getByText('Support bot').waitFor()
  await page.goto(`${url}/projects`)
  await page.getByRole('link', { name: /Support bot admin\/renamed/ }).click()
  await page.waitForURL(/admin\/renamed\/weave/)
})

test('a project is deleted after its name is typed, and can be created anew', async ({ page, url, api }) => {
  const project_id = 'admin/short-lived'
  const start = (id: string) => api.call('call_start', { start: { project_id, id, op_name: 'answer' } })
  await start('call-1')
  await page.goto(`${url}/${project_id}/weave/settings?tab=danger`)
  const button = page.getByRole('button', { name: 'Delete project' })
  const name = page.getByRole('textbox', { name: 'To delete the project, type admin/short-lived' })
  await name.fill('admin/short-live')
  assert.ok(await button.isDisabled())
  await name.fill(project_id)
  await button.click()
  await page.getByText('is being deleted').waitFor()
  // Any page of it says so, instead of loading for as long as that takes.
  const other = await page.context().newPage()
  await other.goto(`${url}/${project_id}/weave/traces`)
  await other.getByText('is being deleted').waitFor()
  await other.getByText('admin/short-lived is deleted.').waitFor()
  await other.close()
  await page.getByText('admin/short-lived is deleted.').waitFor()
  await page.getByRole('link', { name: 'All projects', exact: true }).click()
  await page.getByRole('list', { name: 'Projects' }).waitFor()
  assert.equal(await page.getByRole('link', { name: /short-lived/ }).count(), 0)
  await start('call-2')
  assert.equal((await api.call('calls_query_stats', { project_id })).count, 1)
})

test('a score is edited, archived and restored; its values stay', async ({ page, url, api }) => {
  const project_id = 'admin/scores'
  await seedReviewCalls(api, project_id, 2)
  await seedScores(api, project_id, ['Correct', 'Tone'])
  const call = `${url}/${project_id}/weave/calls/answer-0?tab=feedback`
  await page.goto(call)
  await page.getByRole('button', { name: 'kind' }).click()
  await page.getByRole('listitem').filter({ hasText: 'kind' }).first().waitFor()
  await page.getByRole('link', { name: 'Edit scores' }).click()
  await page.getByRole('button', { name: 'Edit Tone' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Tone of voice')
  await dialog.getByRole('textbox', { name: 'Question' }).fill('How does it sound?')
  await dialog.getByRole('textbox', { name: 'Options, one per line' }).fill('kind\ncold\nneutral')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /Tone of voice How does it sound\? kind, cold, neutral/ }).waitFor()
  await page.goto(call)
  await page.getByRole('button', { name: 'neutral' }).waitFor()
  await page.goto(`${url}/${project_id}/weave/settings?tab=scores`)
  await page.getByRole('button', { name: 'Archive Tone of voice' }).click()
  await page.getByRole('button', { name: 'Restore Tone of voice' }).waitFor()
  await page.goto(call)
  await page.getByRole('button', { name: 'Pass' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'neutral' }).count(), 0)
  await page.getByRole('listitem').filter({ hasText: 'kind' }).first().waitFor()
  // The value refers to the first version, and is found by the name that filters use.
  const { result } = await api.call('feedback_query', { project_id })
  assert.deepEqual(
    result.map(({ feedback_type }) => feedback_type),
    ['wandb.annotation.tone'],
  )
  const { objs } = await api.call('objs_query', { project_id, filter: { object_ids: ['tone'] } })
  assert.equal(objs.length, 2)
  assert.ok(
    String(result[0]?.['annotation_ref']).endsWith(
      objs.find(({ version_index }) => version_index === 0)?.digest ?? '?',
    ),
  )
  await page.goto(`${url}/${project_id}/weave/settings?tab=scores`)
  await page.getByRole('button', { name: 'Restore Tone of voice' }).click()
  await page.getByRole('button', { name: 'Archive Tone of voice' }).waitFor()
  await page.goto(call)
  await page.getByRole('button', { name: 'neutral' }).waitFor()
})
