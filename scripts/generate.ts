import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { VERSION } from '../src/app/deps.ts'
import { openApi } from '../src/http/docs/openapi.ts'
import { PAGES } from '../src/http/pages.ts'
import { registeredChecks } from '../test/conformance/rows.ts'
import { apiPage } from './generate/api-page.ts'
import { browserRoutes } from './generate/browser-routes.ts'
import { configurationPage } from './generate/configuration-page.ts'
import { otlpPage } from './generate/otlp-page.ts'
import { schemaSql } from './generate/schema-sql.ts'
import { sdkPage } from './generate/sdk-page.ts'
import { specificationPage } from './generate/specification-page.ts'

/** `npm run generate` writes the files derived from the code; with `--check` it only reports stale ones. */
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const check = process.argv.includes('--check')

const files: [string, () => string | Promise<string>][] = [
  ['docs/openapi.json', () => `${JSON.stringify(openApi(VERSION, PAGES), undefined, 2)}\n`],
  ['docs/api.md', () => apiPage(VERSION)],
  [
    'docs/configuration.md',
    async () => configurationPage(await readFile(join(ROOT, 'src/app/settings.ts'), 'utf8')),
  ],
  [
    'docs/opentelemetry.md',
    async () => otlpPage(await readFile(join(ROOT, 'docs/opentelemetry.md'), 'utf8')),
  ],
  ['docs/sdk.md', async () => sdkPage(await readFile(join(ROOT, 'docs/sdk.md'), 'utf8'))],
  [
    'docs/specification.md',
    async () =>
      specificationPage(await readFile(join(ROOT, 'docs/specification.md'), 'utf8'), registeredChecks()),
  ],
  ['migrations/schema.sql', schemaSql],
  // A chart can only read files in its own directory.
  [
    'deploy/helm/heddle/files/alerts.yaml',
    () => readFile(join(ROOT, 'deploy/prometheus/alerts.yaml'), 'utf8'),
  ],
  ['deploy/helm/heddle/files/heddle.json', () => readFile(join(ROOT, 'deploy/grafana/heddle.json'), 'utf8')],
  ['src/client/browser/routes.generated.ts', browserRoutes],
]

for (const [name, make] of files) {
  const path = join(ROOT, name)
  const text = await make()
  const before = await readFile(path, 'utf8').catch(() => '')
  if (before === text) continue
  if (check) {
    process.stderr.write(`${name} is stale: run \`npm run generate\` and commit it\n`)
    process.exitCode = 1
  } else {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
    process.stdout.write(`wrote ${name}\n`)
  }
}
