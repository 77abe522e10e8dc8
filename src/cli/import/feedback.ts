import type { InputOf } from '../../contract/operations.ts'
import type { RawJson } from '../../contract/raw-json.ts'
import { entries, find, items, stringValue } from '../../core/json/navigate.ts'
import type { ImportTarget } from './calls.ts'
import { References } from './references.ts'
import type { ObjectsCopy } from './objects.ts'
import type { RefMap } from './ref-map.ts'
import { isRejection } from './report.ts'
import { splitBatches, type Transfer } from './transfer.ts'

const PAGE = 500
const BATCH_BYTES = 8 * 1024 * 1024

type NewFeedback = InputOf<'feedback_create'>

/** Copies the oldest feedback first, so the copies keep their order; `created_at` becomes the time of the import. */
export async function copyFeedback(transfer: Transfer, objects: ObjectsCopy): Promise<void> {
  const { journal, project_id, progress } = transfer
  // Start one page earlier: purges at the source may have shifted the offsets since.
  let offset = Math.max(0, Number(journal.get('cursor', 'feedback') ?? 0) - PAGE)
  for (;;) {
    const records = await readPage(transfer, offset)
    const references = new References(project_id).add(...records.map((record) => find(record, 'payload')))
    await objects.copyReferenced(references)
    await sendFeedback(transfer, transfer.refs, records)
    offset += records.length
    journal.add('cursor', 'feedback', String(offset))
    progress.update('feedback', offset)
    if (records.length < PAGE) return
  }
}

/** Idempotent: feedback keeps its ids, so sending it again changes nothing. */
export async function sendFeedback(
  target: ImportTarget,
  refs: RefMap,
  records: readonly RawJson[],
): Promise<void> {
  for (const batch of splitBatches(records, PAGE, BATCH_BYTES, (record) => record.bytes.length)) {
    await store(
      target,
      batch.map((record) => newFeedback(refs, target.to_project_id, record)),
    )
  }
}

async function readPage({ from, project_id }: Transfer, offset: number): Promise<RawJson[]> {
  const sort_by = ['created_at', 'id'].map((field) => ({ field, direction: 'asc' as const }))
  const response = await from.document('feedback_query', { project_id, sort_by, limit: PAGE, offset })
  const result = find(response, 'result')
  return result === undefined ? [] : items(result)
}

/** The server sets these. */
const NOT_SENT: ReadonlySet<string> = new Set(['project_id', 'created_at', 'wb_user_id'])

function newFeedback(refs: RefMap, to_project_id: string, record: RawJson): NewFeedback {
  const fields = entries(record).flatMap(([key, raw]): [string, unknown][] => {
    if (NOT_SENT.has(key) || raw.isNull) return []
    const text = stringValue(raw)
    if (text !== undefined) return [[key, refs.rewriteText(text)]]
    return [[key, key === 'scorer_tags' ? items(raw).map(stringValue) : refs.rewriteJson(raw)]]
  })
  return { ...Object.fromEntries(fields), project_id: to_project_id } as NewFeedback
}

/** Sends a batch; if it is rejected, sends the records one by one, so only the rejected ones are left out. */
async function store({ to, report }: ImportTarget, batch: readonly NewFeedback[]): Promise<void> {
  try {
    await to.call('feedback_create_batch', { batch: [...batch] })
    report.copied.feedback += batch.length
    return
  } catch (error) {
    if (!isRejection(error)) throw error
  }
  for (const record of batch) {
    try {
      await to.call('feedback_create', record)
      report.copied.feedback++
    } catch (error) {
      if (!isRejection(error)) throw error
      report.addProblem(`feedback ${record.id}`, error)
    }
  }
}
