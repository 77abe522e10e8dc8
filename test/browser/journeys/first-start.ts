import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Page } from 'playwright-core'
import { newestPythonEnvironment } from '../../sdk/environments.ts'
import { programEnvironment, runProgram } from '../../sdk/program.ts'
import { journey } from '../environment.ts'

/** What stands in a box of lines on the page for setting up. */
function lines(page: Page, about: string): Promise<string> {
  return page.getByRole('figure', { name: about }).locator('pre').innerText()
}

/** `heddle` as it is started for the first time: nobody has given it a password. */
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

/** Sixty seconds with a server of its own. */
export const firstSteps = [
  journey('from the first start to the first trace of a Python program, seen live', async ({ stranger }) => {
    const directory = mkdtempSync(join(tmpdir(), 'heddle-first-'))
    const { python } = await newestPythonEnvironment()
    const server = await firstStart(join(directory, 'data'))
    try {
      const page = await stranger()
      await page.goto(server.link)
      await page.getByRole('heading', { name: 'No projects yet' }).waitFor()
      await page.getByRole('textbox', { name: 'New project' }).fill('my-agent')
      await page.keyboard.press('Enter')
      await page.getByText('Listening for the first trace of admin/my-agent').waitFor()
      await page.getByRole('button', { name: 'Make a key' }).click()
      await page.getByText('it is not shown again').waitFor()
      // The lines of the page, as somebody would paste them.
      const said = Object.fromEntries(
        [...(await lines(page, 'Tell it where to send')).matchAll(/^export (\w+)=(\S+)$/gm)].map(
          ([, name = '', value = '']) => [name, value],
        ),
      )
      writeFileSync(join(directory, 'program.py'), await lines(page, 'Trace what you run'))
      const env = await programEnvironment(
        said['WANDB_BASE_URL'] ?? '',
        said['WANDB_API_KEY'] ?? '',
        directory,
      )
      const { code, output } = await runProgram([python, 'program.py'], {
        env,
        cwd: directory,
        isQuiet: true,
      })
      assert.equal(code, 0, output)
      await page.getByText('answer has arrived').waitFor()
      await page.getByRole('link', { name: 'Look at the trace' }).click()
      const call = page.getByRole('article', { name: 'Call answer' })
      await call.getByText('Where is my order?').first().waitFor()
      await call.getByText('On its way.').first().waitFor()
      // The link has signed one browser in, and no other.
      const other = await stranger()
      await other.goto(server.link)
      await other.getByRole('heading', { name: 'Sign in to Heddle' }).waitFor()
    } finally {
      server.process.kill('SIGTERM')
      await once(server.process, 'exit')
      rmSync(directory, { recursive: true, force: true })
    }
  }),
]
