import { parseArgs } from 'node:util'
import { Api, type Target } from './api.ts'
import { TABLES } from './bodies.ts'
import { runChecks } from './check.ts'
import './rows.ts'
import { startHeddleServer } from './server.ts'

/** `npm run conformance`: checks every rule of docs/specification.md against a server that it starts, or against the one at --url. */
const USAGE =
  'npm run conformance -- [--only TEXT] [--quiet] [--cluster | --url URL --user U --password P --project E/P [--scheme weave] [--heddle]]'

const { values } = parseArgs({
  options: {
    // Repeated: nodes of one cluster.
    url: { type: 'string', multiple: true },
    // The server is Heddle: no check may be skipped.
    heddle: { type: 'boolean', default: false },
    user: { type: 'string' },
    password: { type: 'string' },
    project: { type: 'string' },
    scheme: { type: 'string', default: 'weave' },
    only: { type: 'string', default: '' },
    quiet: { type: 'boolean', default: false },
    // Two nodes on two shards of ClickHouse; needs `npm run build`.
    cluster: { type: 'boolean', default: false },
  },
})

const { target, stop } =
  values.url === undefined
    ? await startHeddleServer(values.cluster)
    : { target: targetFromOptions(values.url), stop: async () => {} }
try {
  const api = new Api(target)
  const { passed, failed, skipped } = await runChecks(api, values.only, (line) => {
    if (!values.quiet || !line.startsWith('ok ')) console.log(line)
  })
  const operations = TABLES.filter(({ path }) => api.succeededPaths.has(path)).length
  if (skipped > 0)
    console.log(`${skipped} rows skipped: this server may differ there, or lacks something (reasons above)`)
  console.log(`conformance: ${operations} operations, ${passed + failed} rows, ${failed} failed`)
  // On Heddle no check may be skipped. On another server, skipped checks do not count.
  process.exitCode = failed > 0 || (target.isHeddle && skipped > 0) ? 1 : 0
} finally {
  await stop()
}

function targetFromOptions(urls: readonly string[]): Target {
  const { user, password, project, scheme } = values
  if (user === undefined || password === undefined || project === undefined)
    throw new Error(`usage: ${USAGE}`)
  return {
    urls: urls.map((url) => url.replace(/\/+$/, '')),
    user,
    password,
    project_id: project,
    scheme,
    isHeddle: values.heddle,
  }
}
