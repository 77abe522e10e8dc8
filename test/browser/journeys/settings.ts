import assert from 'node:assert/strict'
import { RawJson } from '../../../src/contract/raw-json.ts'
import { SHOP } from '../seed.ts'
import { journey } from '../environment.ts'

/** Journeys through the settings. */
export const settings = [
  journey('an API key is created, shown once, works, and is revoked', async ({ page, url }) => {
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
  }),
  journey('a member is added, changes role, and is removed', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/settings`)
    const form = page.getByRole('form', { name: 'Add member' })
    await form.getByRole('textbox', { name: 'Username' }).fill('nobody-knows')
    await form.getByRole('button', { name: 'Add' }).click()
    await page
      .getByRole('alert')
      .getByText(/nobody-knows/)
      .waitFor()
    await form.getByRole('textbox', { name: 'Username' }).fill('admin')
    await form.getByRole('combobox', { name: 'Role' }).selectOption('read')
    await form.getByRole('button', { name: 'Add' }).click()
    const role = page.getByRole('combobox', { name: 'Role of admin' })
    // A reload would cancel the request.
    const isSaved = page.waitForResponse((response) => response.url().endsWith('/members/admin'))
    await role.selectOption('write')
    await isSaved
    await page.reload()
    await role.waitFor()
    assert.equal(await role.inputValue(), 'write')
    await page.getByRole('button', { name: 'Remove admin' }).click()
    await role.waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: 'Entity owner' }).waitFor()
  }),
  journey('storage is shown by kind of data', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/settings?tab=storage`)
    await page.getByRole('heading', { name: 'Storage' }).waitFor()
    await page.getByText(/\d MB/).first().waitFor()
    await page.getByRole('link', { name: 'costs page', exact: true }).click()
    await page.getByRole('heading', { name: 'Prices' }).waitFor()
  }),
  journey('data is deleted only after the project name is typed', async ({ page, url, api }) => {
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
  }),
]
