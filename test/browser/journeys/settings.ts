import assert from 'node:assert/strict'
import { RawJson } from '../../../src/contract/raw-json.ts'
import { SHOP } from '../seed.ts'
import { journey } from '../environment.ts'

/** What is administered in the browser. */
export const settings = [
  journey('a key is made, shown once, works, and is revoked', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/settings`)
    await page.getByRole('tab', { name: 'API keys' }).click()
    await page.getByRole('textbox', { name: 'What is it for?' }).fill('night job')
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByText('Keep it now: it is not shown again.').waitFor()
    await page.getByRole('button', { name: 'Copy the key' }).click()
    const key = await page.evaluate(() => navigator.clipboard.readText())
    const ask = (): Promise<Response> =>
      fetch(`${url}/api/v1/projects`, {
        headers: { authorization: `Basic ${Buffer.from(`api:${key}`).toString('base64')}` },
      })
    assert.equal((await ask()).status, 200)
    await page.reload()
    await page.getByRole('rowheader', { name: 'night job' }).waitFor()
    assert.ok(!(await page.getByRole('main').innerText()).includes(key))
    await page.getByRole('button', { name: 'Revoke night job' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke it' }).click()
    await page.getByRole('rowheader', { name: 'night job' }).waitFor({ state: 'detached' })
    assert.equal((await ask()).status, 401)
  }),
  journey('a member gets a role, another one, and none', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/settings`)
    const form = page.getByRole('form', { name: 'Add a member' })
    await form.getByRole('textbox', { name: 'User name' }).fill('nobody-knows')
    await form.getByRole('button', { name: 'Add' }).click()
    await page
      .getByRole('alert')
      .getByText(/nobody-knows/)
      .waitFor()
    await form.getByRole('textbox', { name: 'User name' }).fill('admin')
    await form.getByRole('combobox', { name: 'Role' }).selectOption('read')
    await form.getByRole('button', { name: 'Add' }).click()
    const role = page.getByRole('combobox', { name: 'Role of admin' })
    await role.selectOption('write')
    await page.reload()
    await role.waitFor()
    assert.equal(await role.inputValue(), 'write')
    await page.getByRole('button', { name: 'Remove admin' }).click()
    await role.waitFor({ state: 'detached' })
    await page.getByRole('cell', { name: 'owner of the entity' }).waitFor()
  }),
  journey('what is stored is told', async ({ page, url }) => {
    await page.goto(`${url}/${SHOP}/weave/settings?tab=storage`)
    await page.getByRole('heading', { name: 'Storage' }).waitFor()
    await page.getByText(/\d MB/).first().waitFor()
    await page.getByRole('link', { name: 'costs', exact: true }).click()
    await page.getByRole('heading', { name: 'Prices' }).waitFor()
  }),
  journey('data are deleted only when the name of the project is written out', async ({ page, url, api }) => {
    const project_id = 'admin/doomed'
    const at = (ms: number): string => new Date(Date.now() - ms).toISOString()
    const call = (id: string, ageMs: number) => ({
      project_id,
      id,
      trace_id: id,
      op_name: 'answer',
      started_at: at(ageMs),
      ended_at: at(ageMs - 10),
      attributes: RawJson.of({}),
      inputs: RawJson.of({}),
      output: RawJson.of(null),
      summary: RawJson.of({}),
    })
    const day = 86_400_000
    const batch = [call('young', day), ...Array.from({ length: 3 }, (_, i) => call(`old-${i}`, 200 * day))]
    await api.call('calls_complete', { entity: 'admin', project: 'doomed', batch })
    await page.goto(`${url}/${project_id}/weave/settings?tab=danger`)
    const name = page.getByRole('textbox', { name: 'To delete 3 calls, write admin/doomed' })
    await name.fill('admin/doom')
    assert.ok(await page.getByRole('button', { name: 'Delete them' }).isDisabled())
    await name.fill(project_id)
    await page.getByRole('button', { name: 'Delete them' }).click()
    await page.getByText('Done: 3 calls deleted.').waitFor()
    await page.getByRole('radio', { name: 'All calls' }).check()
    await page.getByRole('textbox', { name: 'To delete 1 call, write admin/doomed' }).waitFor()
  }),
]
