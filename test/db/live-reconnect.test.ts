import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer, useServer } from '../harness.ts'
import { runTrial } from '../live/reconnects.ts'

/** `npm run livetest -- --seconds 600` is the same with nodes of their own and for as long as one likes. */
const server = useServer()
let other: TestServer

beforeAll(async () => {
  other = await startTestServer({ clickhouseDatabase: server.heddle.deps.db.name })
})

afterAll(async () => {
  await other.heddle.stop()
})

test(
  'a client that is cut off 50 times under load, and comes back at either node, sees every start and end once',
  { timeout: 180_000 },
  async () => {
    const verdict = await runTrial({
      urls: [server.url, other.url],
      authorization: server.authorization,
      project_id: 'acme/cut',
      // Long enough to be told something between two cuts: joining a busy reader wrongly shows only then.
      seconds: 25,
      cuts: 55,
    })
    expect(verdict).toMatchObject({ missed: [], repeated: [], misordered: [] })
    expect(verdict.cuts).toBeGreaterThanOrEqual(40)
    expect(verdict.calls).toBeGreaterThan(50)
  },
)
