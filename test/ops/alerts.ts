import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installOnce, runInstaller } from '../installations.ts'
import type { OpsSuite } from './suite.ts'

const execute = promisify(execFile)
const ALERTS = fileURLToPath(new URL('../../deploy/prometheus/alerts.yaml', import.meta.url))
const DASHBOARD = fileURLToPath(new URL('../../deploy/grafana/heddle.json', import.meta.url))
const TESTS = fileURLToPath(new URL('prometheus/alerts.test.yaml', import.meta.url))

/** Alerts and dashboard: valid for Prometheus, and each alert fires when it should (prometheus/alerts.test.yaml). */
export const alerts: OpsSuite = {
  name: 'alerts',
  minutes: 0.2,
  run: async (context) => {
    const promtool = await installPromtool()
    await context.check('promtool check rules', async () => {
      await execute(promtool, ['check', 'rules', ALERTS])
    })
    await context.check('the queries of the dashboard are valid', async () => {
      const file = join(context.directory, 'dashboard.json')
      await writeFile(file, JSON.stringify(await dashboardRules()))
      await execute(promtool, ['check', 'rules', file])
    })
    await context.check('promtool test rules: every alert fires for what it is meant for', async () => {
      await execute(promtool, ['test', 'rules', TESTS])
    })
  },
}

interface Dashboard {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[]
}

/** The queries as recording rules, because promtool checks only rules. JSON is YAML. */
async function dashboardRules(): Promise<unknown> {
  const { panels } = JSON.parse(await readFile(DASHBOARD, 'utf8')) as Dashboard
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  const rules = queries.map((query, index) => ({
    record: `query:${index}`,
    expr: query.replaceAll('$__rate_interval', '5m').replaceAll(/"\$\w+"/g, '".*"'),
  }))
  return { groups: [{ name: 'dashboard', rules }] }
}

/** `promtool`, from the variable `PROMTOOL`, the machine, or Debian's package of Prometheus, which is unpacked only. */
async function installPromtool(): Promise<string> {
  const installed = process.env['PROMTOOL'] ?? '/usr/bin/promtool'
  if (existsSync(installed)) return installed
  const directory = await installOnce('promtool', async (path) => {
    const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n']
    await runInstaller('mkdir', ['-p', path])
    await runInstaller('env', [...asRoot, 'apt-get', '-qq', 'update'])
    await runInstaller('apt-get', ['-qq', 'download', 'prometheus'], path)
    await runInstaller('sh', ['-c', 'dpkg-deb --extract prometheus_*.deb .'], path)
  })
  return join(directory, 'usr/bin/promtool')
}
