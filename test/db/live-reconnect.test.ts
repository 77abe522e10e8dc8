import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer, useServer } from '../harness.ts'
import { runLiveTest } from '../live/reconnects.ts'

/** `npm run livetest -- --seconds 600` runs the same trial with separate node processes, for any duration. */
const server = useServer()
let other: TestServer

beforeAll(async () => {
  other = await startTestServer({ clickhouseDatabase: server.heddle.deps.db.name })
})

afterAll(async () => {
  await other.heddle.stop()
})

test(
  'a client that is disconnected 50 times under load and reconnects to either node gets every start and end once',
  { timeout: 180_000 },
  async () => {
    const verdict = await runLiveTest({
      urls: [server.url, other.url],
      authorization: server.authorization,
      project_id: 'acme/cut',
      // Long enough for events between two disconnects: errors in joining a busy reader show only then.
      seconds: 25,
      cuts: 55,
    })
    expect(verdict).toMatchObject({ missed: [], repeated: [], misordered: [] })
    expect(verdict.cuts).toBeGreaterThanOrEqual(40)
    expect(verdict.calls).toBeGreaterThan(50)
  },
)
