import { parseArgs } from 'node:util'
import { Api, type Target } from './api.ts'
import './authentication.ts'
import './requests.ts'
import './calls.ts'
import './call-start.ts'
import './call-read.ts'
import './call-batch.ts'
import './call-counts.ts'
import './objects.ts'
import './versioning.ts'
import './tables.ts'
import './feedback-replace.ts'
import './feedback-query.ts'
import './costs.ts'
import './limits.ts'
import './refs.ts'
import { runRows } from './check.ts'
import { TABLES } from './bodies.ts'
import { startOwn } from './server.ts'

/** `npm run conformance`: SPEC.md, row by row, against a server it starts or the one at --url. */
const USAGE =
  'npm run conformance -- [--only TEXT] [--quiet] [--url URL --user U --password P --project E/P [--scheme weave]]'

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    user: { type: 'string' },
    password: { type: 'string' },
    project: { type: 'string' },
    scheme: { type: 'string', default: 'weave' },
    only: { type: 'string', default: '' },
    quiet: { type: 'boolean', default: false },
  },
})

const { target, stop } =
  values.url === undefined ? await startOwn() : { target: given(values.url), stop: async () => {} }
try {
  const api = new Api(target)
  const { passed, failed, skipped } = await runRows(api, values.only, (line) => {
    if (!values.quiet || !line.startsWith('ok ')) console.log(line)
  })
  const operations = TABLES.filter(({ path }) => api.answered.has(path)).length
  if (skipped > 0) console.log(`${skipped} rows skipped: SPEC does not show what they need (reasons above)`)
  console.log(`conformance: ${operations} operations, ${passed + failed} rows, ${failed} failed`)
  // Nothing may be skipped on our own server; another one is judged by what could be judged.
  process.exitCode = failed > 0 || (target.own && skipped > 0) ? 1 : 0
} finally {
  await stop()
}

function given(url: string): Target {
  const { user, password, project, scheme } = values
  if (user === undefined || password === undefined || project === undefined)
    throw new Error(`usage: ${USAGE}`)
  return { url: url.replace(/\/+$/, ''), user, password, project_id: project, scheme, own: false }
}
