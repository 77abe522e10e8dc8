import { RecordEncoder } from '../../store/calls/write/record-encoder.ts'
import type { Deps } from '../deps.ts'

/** The encoder of all records of one request. */
export function newEncoder(
  { callWriter, now, newId, redactor }: Pick<Deps, 'callWriter' | 'now' | 'newId' | 'redactor'>,
  sent_by: string,
): RecordEncoder {
  const { clock, columns } = callWriter
  return new RecordEncoder({ sent_by, now: now(), newId, clock, columns, redactor })
}
