import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Page } from 'playwright-core'
import { latestPythonEnvironment } from '../../sdk/environments.ts'
import { programEnvironment, runProgram } from '../../sdk/program.ts'
import { journey } from '../environment.ts'

/** The text of a code block on the setup page. */
function lines(page: Page, about: string): Promise<string> {
  return page.getByRole('figure', { name: about }).locator('pre').innerText()
}

/** Starts `heddle` for the first time, without a password in the environment. */
async function firstStart(data: string): Promise<{ link: string; process: ChildProcess }> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('HEDDLE_'))
  const child = spawn(process.execPath, ['dist/main.js', '--data', data, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...Object.fromEntries(inherited), HEDDLE_LOG_LEVEL: 'fatal' },
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const link = /^Open (http\S+)/.exec(line)?.[1]
    if (link === undefined) continue
    child.stdout.resume()
    return { link, process: child }
  }
  throw new Error('the server printed no link')
}

/** The first minute with a fresh server. */
export const firstSteps = [
  journey(
    'from the first start to the first trace of a Python program, seen live',
    async ({ signedOutPage }) => {
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
        server.process.kill('SIGTERM')
        await once(server.process, 'exit')
        rmSync(directory, { recursive: true, force: true })
      }
    },
  ),
]
