import { expect, test } from 'vitest'
import { ReadSlot } from './read-slot.ts'
import { currentRequest, inRequest, streamInRequest } from './request-scope.ts'

test('every item of a stream is produced in the scope that created it', async () => {
  const { signal } = new AbortController()
  const scope = { project_id: 'a', user_id: 'ann', request_id: 'r', signal, slot: new ReadSlot() }
  async function* parts() {
    for (let n = 0; n < 3; n++) yield currentRequest()
  }
  const stream = inRequest(scope, () => streamInRequest(parts()))
  const seen: unknown[] = []
  for await (const part of stream) seen.push(part)
  expect(seen).toEqual([scope, scope, scope])
})
