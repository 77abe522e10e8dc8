import { expect, test } from 'vitest'
import { preferredReplica, type ReplicaState } from './replica-state.ts'

// That real replicas are recognized is tested in test/ops/read-only-replicas.ts.
test.each<[states: ReplicaState[], inUse: number, expected: number]>([
  [['complete', 'complete'], 1, 0],
  // It came back and has not copied yet what was stored in the meantime.
  [['lagging', 'complete'], 1, 1],
  [['read-only', 'complete'], 1, 1],
  // The one in use came back after an outage, and the other node wrote to the second one.
  [['lagging', 'complete'], 0, 1],
  // What the second one stored last is still in its queue.
  [['lagging', 'lagging'], 1, 1],
  [['lagging', 'lagging'], 0, 0],
  [['down', 'lagging', 'complete'], 0, 2],
  [['down', 'lagging', 'lagging'], 0, 1],
  [['down', 'read-only', 'lagging'], 1, 2],
  [['read-only', 'read-only'], 1, 1],
  [['down', 'read-only'], 0, 1],
  [['down', 'down'], 0, -1],
])('of %j with %i in use, %i is used', (states, inUse, expected) => {
  expect(preferredReplica(states, inUse)).toBe(expected)
})
