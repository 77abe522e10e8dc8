import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { VERSION } from '../../src/app/deps.ts'
import { SETTINGS } from '../../src/app/settings.ts'
import { ERROR_STATUS } from '../../src/contract/api-error.ts'
import { operationNames } from '../../src/contract/operations.ts'
import { PAGES } from '../../src/http/pages.ts'

/** The files in deploy/ and docs/runbook.md agree with the code and with each other. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string): string => readFileSync(ROOT + path, 'utf8')

const alerts = read('deploy/prometheus/alerts.yaml').replaceAll(/^\s*#.*$/gm, '')
const dashboard = dashboardExpressions(JSON.parse(read('deploy/grafana/heddle.json')) as unknown)

test('the Helm chart has the version of the package', () => {
  const chart = read('deploy/helm/heddle/Chart.yaml')
  expect(/^version: (.*)$/m.exec(chart)?.[1]).toBe(VERSION)
  expect(/^appVersion: (.*)$/m.exec(chart)?.[1]).toBe(VERSION)
})

test('the Helm chart sets only settings that exist', () => {
  const templates = readdirSync(`${ROOT}deploy/helm/heddle/templates`, { recursive: true, encoding: 'utf8' })
  const names = templates
    .filter((name) => /\.(tpl|yaml)$/.test(name))
    .flatMap((name) => [...read(`deploy/helm/heddle/templates/${name}`).matchAll(/HEDDLE_[A-Z0-9_]+/g)])
    .map(([name]) => name)
  expect(names.length).toBeGreaterThan(10)
  const known = new Set(Object.values(SETTINGS).map(({ variable }) => variable))
  expect([...new Set(names)].filter((name) => !known.has(name))).toEqual([])
})

test('the Helm chart recognizes every secret setting by its name', () => {
  const pattern = /regexMatch "(\(PASSWORD[^"]+)" \$name/.exec(
    read('deploy/helm/heddle/templates/_validate.tpl'),
  )?.[1]
  const secrets = Object.values(SETTINGS).flatMap(({ variable, isSecret }) => (isSecret ? [variable] : []))
  expect(secrets.length).toBeGreaterThan(3)
  expect(secrets.filter((name) => !new RegExp(pattern ?? '').test(name))).toEqual([])
})

describe.each([
  ['alerts', alerts],
  ['dashboard', dashboard.join('\n')],
])('the %s', (_name, text) => {
  test('use only metrics that the server registers', () => {
    const used = [...text.matchAll(/\b(?:heddle|process|nodejs)_[a-z0-9_]+/g)].map(([name]) => name)
    expect(used.length).toBeGreaterThan(10)
    const registered = registeredMetrics()
    expect([...new Set(used)].filter((name) => !registered.has(name))).toEqual([])
  })

  test('select only operations, pages and error codes that exist', () => {
    const known = new Set<string>([...operationNames(), ...Object.keys(PAGES), ...Object.keys(ERROR_STATUS)])
    const selected = [...text.matchAll(/(?:operation|code)=~?"([^"]+)"/g)].flatMap(([, values = '']) =>
      values.split('|'),
    )
    expect(selected.length).toBeGreaterThan(3)
    expect(selected.filter((name) => !known.has(name))).toEqual([])
  })
})

test('there are ten alerts, each with a section of the runbook', () => {
  const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
  expect(names).toHaveLength(10)
  const links = [...alerts.matchAll(/runbook_url: docs\/runbook\.md#(\w+)/g)].map(([, anchor]) => anchor)
  expect(links).toEqual(names.map((name) => name.toLowerCase()))
  const sections = read('docs/runbook.md').split(/^## /m).slice(1)
  const alertSections = sections.filter((section) => section.startsWith('Heddle'))
  expect(alertSections.map((section) => section.split('\n')[0])).toEqual(names)
  for (const section of alertSections)
    for (const part of ['Meaning', 'Confirm', 'Do', 'Prevent']) expect(section).toContain(`**${part}.**`)
})

/** Names of all series: those in the source, and the default metrics of Node. */
function registeredMetrics(): Set<string> {
  const defaults = new Registry()
  collectDefaultMetrics({ register: defaults })
  const names = new Set(defaults.getMetricsAsArray().map(({ name }) => name))
  const files = readdirSync(`${ROOT}src`, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))) {
    const text = read(`src/${file}`)
    if (!text.includes("from 'prom-client'")) continue
    for (const [, name = ''] of text.matchAll(/'(heddle_[a-z_]+)'/g)) names.add(name)
    for (const [, name = ''] of text.matchAll(/new Histogram\(\{\s*name: '(\w+)'/g))
      for (const suffix of ['bucket', 'sum', 'count']) names.add(`${name}_${suffix}`)
  }
  return names
}

/** The values of all keys `expr`. */
function dashboardExpressions(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) =>
    key === 'expr' && typeof child === 'string' ? [child] : dashboardExpressions(child),
  )
}
