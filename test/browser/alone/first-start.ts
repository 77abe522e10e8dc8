import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { latestPythonEnvironment } from '../../sdk/environments.ts'
import { programEnvironment, runProgram } from '../../sdk/program.ts'
import { firstStartInTerminal, type TerminalServer } from '../../terminal.ts'
import { test } from '../fixtures.ts'

/** The text of a code block on the setup page. */
function lines(page: Page, about: string): Promise<string> {
  return page.getByRole('figure', { name: about }).locator('pre').innerText()
}

/** Starts `heddle` for the first time, without a password in the environment. */
async function firstStart(data: string): Promise<TerminalServer & { link: string }> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('HEDDLE_'))
  const command = [process.execPath, 'dist/main.js', '--data', data, '--port', '0']
  const env = { ...Object.fromEntries(inherited), HEDDLE_LOG_LEVEL: 'fatal' }
  const server = await firstStartInTerminal(command, data, env)
  return { ...server, link: /^Open (http\S+)/m.exec(server.text)?.[1] ?? '' }
}

/** The first minute with a fresh server. */

test('from the first start to the first trace of a Python program, seen live', async ({ signedOutPage }) => {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-first-'))
  const { python } = await latestPythonEnvironment()
  const server = await firstStart(join(directory, 'data'))
  try {
    const page = await signedOutPage()
    await page.goto(server.link)
    await page.getByRole('heading', { name: 'No projects yet' }).waitFor()
    await page.getByRole('textbox', { name: 'New project' }).fill('my-agent')
    await page.keyboard.press('Enter')
    await page.getByText('Waiting for the first trace in admin/my-agent').waitFor()
    await page.getByRole('button', { name: 'Create API key' }).click()
    await page.getByText('It is not shown again').waitFor()
    // The code of the page, as a user would paste it.
    const exported = Object.fromEntries(
      [...(await lines(page, 'Configure the server')).matchAll(/^export (\w+)=(\S+)$/gm)].map(
        ([, name = '', value = '']) => [name, value],
      ),
    )
    writeFileSync(join(directory, 'program.py'), await lines(page, 'Trace a function'))
    const env = await programEnvironment(
      exported['WANDB_BASE_URL'] ?? '',
      exported['WANDB_API_KEY'] ?? '',
      directory,
    )
    const { code, output } = await runProgram([python, 'program.py'], {
      env,
      cwd: directory,
      isQuiet: true,
    })
    assert.equal(code, 0, output)
    await page.getByText('answer has arrived').waitFor()
    await page.getByRole('link', { name: 'Open trace' }).click()
    const call = page.getByRole('article', { name: 'Call answer' })
    await call.getByText('Where is my order?').first().waitFor()
    await call.getByText('On its way.').first().waitFor()
    // The link signs in only once.
    const other = await signedOutPage()
    await other.goto(server.link)
    await other.getByRole('heading', { name: 'Sign in to Heddle' }).waitFor()
  } finally {
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
})
