import type { CallFacts } from '../../../core/calls/call-facts.ts'
import type { Database } from '../../database/database.ts'
import type { RecordEncoder } from './record-encoder.ts'
import type { CallStore } from './writer.ts'

interface EncodedCallStore {
  readonly db: Pick<Database, 'uncertainInserts'>
  readonly callWriter: Pick<CallStore, 'write'>
}

/** Stores the records of an encoder in this order, and gives their memory back: nothing else may read them. */
export async function writeEncoded(
  { db, callWriter }: EncodedCallStore,
  encoder: RecordEncoder,
  ...batches: readonly (readonly CallFacts[])[]
): Promise<void> {
  const { uncertainInserts } = db
  for (const calls of batches) await callWriter.write(calls)
  // The connection of a failed attempt may not have ended yet, so the rows that it sends are left alone.
  if (db.uncertainInserts === uncertainInserts) encoder.release()
}
