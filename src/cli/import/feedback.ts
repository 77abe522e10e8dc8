import type { InputOf } from '../../contract/operations.ts'
import type { RawJson } from '../../contract/raw-json.ts'
import { entries, find, items, stringOf } from '../../core/json/navigate.ts'
import type { Target } from './calls.ts'
import { Mentions } from './mentions.ts'
import type { ObjectsCopy } from './objects.ts'
import type { RefMap } from './ref-map.ts'
import { isRefusal } from './report.ts'
import { inBatches, type Transfer } from './transfer.ts'

const PAGE = 500
const BATCH_BYTES = 8 * 1024 * 1024

type NewFeedback = InputOf<'feedback_create'>

/** Oldest first, so that the copies are listed in the same order; their times are those of the copying. */
export async function copyFeedback(transfer: Transfer, objects: ObjectsCopy): Promise<void> {
  const { journal, project_id, progress } = transfer
  // A page back: what was purged at the source since then has moved the rest.
  let offset = Math.max(0, Number(journal.get('cursor', 'feedback') ?? 0) - PAGE)
  for (;;) {
    const records = await readPage(transfer, offset)
    const mentions = new Mentions(project_id).add(...records.map((record) => find(record, 'payload')))
    await objects.copyMentioned(mentions)
    await sendFeedback(transfer, transfer.refs, records)
    offset += records.length
    journal.add('cursor', 'feedback', String(offset))
    progress.at('feedback', offset)
    if (records.length < PAGE) return
  }
}

/** Under their ids: sent again they change nothing. */
export async function sendFeedback(target: Target, refs: RefMap, records: readonly RawJson[]): Promise<void> {
  for (const batch of inBatches(records, PAGE, BATCH_BYTES, (record) => record.bytes.length)) {
    await store(
      target,
      batch.map((record) => newFeedback(refs, target.to_project_id, record)),
    )
  }
}

async function readPage({ from, project_id }: Transfer, offset: number): Promise<RawJson[]> {
  const sort_by = ['created_at', 'id'].map((field) => ({ field, direction: 'asc' as const }))
  const answer = await from.document('feedback_query', { project_id, sort_by, limit: PAGE, offset })
  const result = find(answer, 'result')
  return result === undefined ? [] : items(result)
}

/** The server says these itself. */
const NOT_SENT: ReadonlySet<string> = new Set(['project_id', 'created_at', 'wb_user_id'])

function newFeedback(refs: RefMap, to_project_id: string, record: RawJson): NewFeedback {
  const fields = entries(record).flatMap(([key, raw]): [string, unknown][] => {
    if (NOT_SENT.has(key) || raw.isNull) return []
    const text = stringOf(raw)
    if (text !== undefined) return [[key, refs.text(text)]]
    return [[key, key === 'scorer_tags' ? items(raw).map(stringOf) : refs.json(raw)]]
  })
  return { ...Object.fromEntries(fields), project_id: to_project_id } as NewFeedback
}

/** All at once; if something in it is refused, one by one, so that only that is left out. */
async function store({ to, report }: Target, batch: readonly NewFeedback[]): Promise<void> {
  try {
    await to.call('feedback_create_batch', { batch: [...batch] })
    report.copied.feedback += batch.length
    return
  } catch (error) {
    if (!isRefusal(error)) throw error
  }
  for (const record of batch) {
    try {
      await to.call('feedback_create', record)
      report.copied.feedback++
    } catch (error) {
      if (!isRefusal(error)) throw error
      report.problem(`feedback ${record.id}`, error)
    }
  }
}
