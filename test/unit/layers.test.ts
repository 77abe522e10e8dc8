import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import { isHeddleApi, type Operation } from '../../src/contract/operation.ts'
import { operationNames, operations } from '../../src/contract/operations.ts'
import { openApi } from '../../src/http/docs/openapi.ts'
import { PAGES } from '../../src/http/pages.ts'
import { createServer, type HttpOptions } from '../../src/http/server.ts'
import { TENANT_TABLES } from '../../src/store/query/scope.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Allowed imports per layer; .oxlintrc.json enforces the same list. */
const ALLOWED_IMPORTS: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  core: ['contract'],
  store: ['contract', 'core'],
  clickhouse: [],
  demo: ['contract', 'core'],
  otlp: ['contract', 'core'],
  service: ['contract', 'core', 'store', 'demo', 'otlp'],
  http: ['contract', 'core', 'service'],
  client: ['contract', 'core'],
  // Also types of contract and core, which add nothing to a bundle.
  web: ['client'],
  app: ['contract', 'core', 'store', 'clickhouse', 'demo', 'otlp', 'service', 'http', 'client'],
}
const LAYERS = [...Object.keys(ALLOWED_IMPORTS), 'cli']

describe('layers', () => {
  const directory = mkdtempSync(join(tmpdir(), 'heddle-layers-'))
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  test('the linter rejects each forbidden import and no allowed one', () => {
    writeFileSync(join(directory, '.oxlintrc.json'), readFileSync(join(ROOT, '.oxlintrc.json')))
    const forbidden: string[] = []
    for (const [layer, allowed] of Object.entries(ALLOWED_IMPORTS)) {
      for (const other of LAYERS.filter((name) => name !== layer)) {
        for (const [depth, up] of [
          ['', '../'],
          ['deep/', '../../'],
        ] as const) {
          const file = `src/${layer}/${depth}from-${other}.ts`
          mkdirSync(join(directory, `src/${layer}/${depth}`), { recursive: true })
          writeFileSync(join(directory, file), `import { x } from '${up}${other}/x.ts'\nexport { x }\n`)
          if (!allowed.includes(other)) forbidden.push(file)
        }
      }
    }
    const run = spawnSync(join(ROOT, 'node_modules/.bin/oxlint'), ['--format', 'json', '.'], {
      cwd: directory,
      encoding: 'utf8',
    })
    const { diagnostics } = JSON.parse(run.stdout) as { diagnostics: { code: string; filename: string }[] }
    const refused = diagnostics
      .filter((diagnostic) => diagnostic.code.includes('no-restricted-imports'))
      .map((diagnostic) => relative('.', diagnostic.filename))
    expect(refused.sort()).toEqual(forbidden.sort())
  })

  test('every layer is listed here', () => {
    const layers = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
    const unknown = layers.filter((entry) => entry.isDirectory() && !LAYERS.includes(entry.name))
    expect(unknown.map((entry) => entry.name)).toEqual([])
  })
})

describe('ClickHouse', () => {
  test('is accessed only through store/database', () => {
    const users = sources(join(ROOT, 'src'))
      .filter((file) => /from '@clickhouse\//.test(readFileSync(file, 'utf8')))
      .map((file) => relative(ROOT, file))
    expect(users.filter((file) => !file.startsWith('src/store/database/'))).toEqual([])
    expect(users.length).toBeGreaterThan(0)
  })
})

describe('SQL', () => {
  test('is built in src/store only', () => {
    const builders = sources(join(ROOT, 'src'))
      .filter((file) => /from '[^']*\/query\/(?:sql|compile|sort)\.ts'/.test(readFileSync(file, 'utf8')))
      .map((file) => relative(ROOT, file))
    expect(builders.filter((file) => !file.startsWith('src/store/'))).toEqual([])
    expect(builders.length).toBeGreaterThan(0)
  })
})

describe('tenants', () => {
  const names = TENANT_TABLES.join('|')
  const around = new RegExp(`\\b(?:FROM|JOIN)\\s+(?:${names})\\b`, 'i')

  test('no statement reads a tenant table without store/query/scope.ts', () => {
    const offenders = sources(join(ROOT, 'src'))
      .filter((file) => !file.endsWith('store/query/scope.ts') && !file.endsWith('.test.ts'))
      // SQL in the browser is confined by the SQL sandbox (src/store/sql).
      .filter((file) => !file.includes('src/web/'))
      .filter((file) => around.test(withoutComments(readFileSync(file, 'utf8'))))
      // A DELETE is not a read and names its project on the same line.
      .filter((file) => !onlyDeletes(withoutComments(readFileSync(file, 'utf8')), around))
    expect(offenders.map((file) => relative(ROOT, file))).toEqual([])
  })

  test('every table with a project_id is a tenant table', () => {
    const scoped = readdirSync(join(ROOT, 'migrations'))
      .filter((file) => /^\d{4}_.*\.sql$/.test(file))
      .flatMap((file) => readFileSync(join(ROOT, 'migrations', file), 'utf8').split(/;\s*$/m))
      .filter((statement) => /^\s*project_id\s/m.test(statement))
      .map((statement) => /CREATE TABLE IF NOT EXISTS (\w+)/.exec(statement)?.[1])
      .filter((name) => name !== undefined)
    const unlisted = scoped.filter((name) => !(TENANT_TABLES as readonly string[]).includes(name))
    // Memberships and projects are read across projects, only by service/access.
    expect(unlisted.filter((name) => !['members', 'projects'].includes(name))).toEqual([])
  })
})

describe('routes', () => {
  const server = createServer({
    handlers: {},
    log: pino({ level: 'silent' }),
    version: '0',
    bodyLimitBytes: 1,
    inFlightLimitBytes: 1,
    memoryWaitMs: 1,
    notReadyReason: async () => undefined,
  } as unknown as HttpOptions)
  const described = openApi('0', PAGES) as { paths: Record<string, Record<string, { operationId: string }>> }

  test('the served routes are those of the OpenAPI document, under / and /traces', () => {
    const served = server.routes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`)
    const all = operationNames().map((name) => operations[name] as unknown as Operation)
    const routesOf = ({ method, path, aliases }: Operation): string[] =>
      [path, ...aliases].map((spelling) => `${method} ${spelling}`)
    const api = all.flatMap(routesOf)
    const documented = Object.entries(described.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const otherRoutes = ['POST /graphql', ...Object.keys(PAGES).map((path) => `GET ${path}`)]
    expect(documented.sort()).toEqual([...api, ...otherRoutes].sort())
    const weaveRoutes = all.filter((operation) => !isHeddleApi(operation)).flatMap(routesOf)
    const expected = [...documented, ...weaveRoutes.map((route) => route.replace(' ', ' /traces'))]
    expect(served.filter((route) => !route.startsWith('HEAD ')).sort()).toEqual(expected.sort())
  })

  test('each operation has a unique id in the OpenAPI document', () => {
    const ids = Object.values(described.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })

  test.each(operationNames())('%s declares who may call it', (name) => {
    const operation = operations[name] as unknown as Operation
    expect(['public', 'user', 'server_admin', 'read', 'write', 'admin']).toContain(operation.access)
    // Only the handshake and sign-in are public.
    const open = ['server_info', 'read_version', 'health', 'session_create']
    expect(operation.access === 'public').toBe(open.includes(name))
  })
})

function sources(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}

function onlyDeletes(text: string, pattern: RegExp): boolean {
  return text
    .split('\n')
    .filter((line) => pattern.test(line))
    .every((line) => /DELETE FROM \w+ WHERE project_id = /.test(line))
}
