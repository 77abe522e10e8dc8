import { EXPORT_CONTENT_TYPES } from '../../contract/export/export.ts'
import type { ScoreAgreement } from '../../contract/queues/queue-results.ts'
import { formatRef } from '../../contract/objects/ref.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { BatchedStream, encodeChunks } from '../../core/concurrency/batched-stream.ts'
import { csvLine } from '../../core/export/csv.ts'
import { find, numberValue } from '../../core/json/navigate.ts'
import { toSingleLine } from '../../core/json/single-line.ts'
import { writeJson } from '../../core/json/write.ts'
import { measureAgreement, type Rating } from '../../core/queues/agreement.ts'
import { listQueueItems, type QueueItemRow } from '../../store/queues/queue-items.ts'
import { ANNOTATION_TYPE, listScores } from '../../store/queues/queue-results.ts'
import type { QueueRow } from '../../store/queues/queues.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { readQueue } from './read-queue.ts'

/** Handlers for the results of a queue: download, agreement of reviewers. */

/** Calls whose scores are read with one statement. */
const CALLS_PER_READ = 500

/** Longer values are texts, which nobody repeats literally. They are compared by their beginning. */
const MAX_RATING_CHARACTERS = 200

/** One value of one reviewer; without them for a call that nobody scored. */
interface Result {
  readonly item: QueueItemRow
  readonly score?: string
  readonly reviewer?: string
  readonly value?: RawJson
  readonly scored_at?: string
  readonly annotation_ref?: string | null
}

export function queueResultsHandlers(deps: Deps): Pick<Handlers, 'queue_results' | 'queue_agreement'> {
  return {
    queue_results: async ({ project_id, queue_id, format }) => {
      const queue = await readQueue(deps.db, project_id, queue_id)
      const results = new BatchedStream(readResults(deps, queue))
      const name = queue.name.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 100)
      return {
        headers: {
          'content-type': EXPORT_CONTENT_TYPES[format],
          'content-disposition': `attachment; filename="${name}.${format}"`,
        },
        bytes:
          format === 'csv'
            ? encodeChunks(results, (each) => csvLine(cells(each)), csvLine(COLUMNS))
            : encodeChunks(results, (each) => `${toSingleLine(writeJson(record(each)))}\n`),
      }
    },

    queue_agreement: async ({ project_id, queue_id }) => {
      const queue = await readQueue(deps.db, project_id, queue_id)
      const byScore = new Map<string, Map<string, Map<string, Rating>>>()
      for await (const batch of readResults(deps, queue)) {
        for (const { item, score, reviewer, value } of batch) {
          if (score === undefined || reviewer === undefined || value === undefined) continue
          const byCall = byScore.get(score) ?? new Map<string, Map<string, Rating>>()
          byScore.set(score, byCall)
          byCall.set(item.call_id, (byCall.get(item.call_id) ?? new Map()).set(reviewer, rating(value)))
        }
      }
      const scores = Array.from(byScore, ([score, byCall]) => scoreAgreement(score, [...byCall.values()]))
      return { scores: scores.sort((a, b) => (a.score < b.score ? -1 : 1)) }
    },
  }
}

/** The results in the order of the queue, then of score and reviewer. */
async function* readResults({ db }: Deps, queue: QueueRow): AsyncGenerator<readonly Result[]> {
  const { project_id } = queue
  const isAsked = (score: string): boolean => queue.scores.length === 0 || queue.scores.includes(score)
  const items = await listQueueItems(db, project_id, queue.id)
  for (let first = 0; first < items.length; first += CALLS_PER_READ) {
    const part = items.slice(first, first + CALLS_PER_READ)
    const refs = part.map(({ call_id }) => formatRef({ kind: 'call', project_id, id: call_id, path: [] }))
    const byRef = new Map(refs.map((ref) => [ref, [] as Result[]]))
    const itemByRef = new Map(part.map((item, i) => [refs[i], item]))
    for (const row of await listScores(db, project_id, refs)) {
      const item = itemByRef.get(row.weave_ref)
      const score = row.feedback_type.slice(ANNOTATION_TYPE.length)
      const value = find(RawJson.fromText(row.payload), 'value')
      if (item === undefined || value === undefined || !isAsked(score)) continue
      byRef.get(row.weave_ref)?.push({
        item,
        score,
        reviewer: row.wb_user_id,
        value,
        scored_at: row.created_at,
        annotation_ref: row.annotation_ref,
      })
    }
    yield part.flatMap((item, i) => {
      const results = byRef.get(refs[i] ?? '') ?? []
      return results.length === 0 ? [{ item }] : results
    })
  }
}

const COLUMNS = [
  'call_id',
  'state',
  'done_by',
  'done_at',
  'score',
  'reviewer',
  'value',
  'scored_at',
  'annotation_ref',
] as const

function record(result: Result): Record<(typeof COLUMNS)[number], unknown> {
  const { item } = result
  return {
    call_id: item.call_id,
    state: item.done_by === '' ? 'open' : 'done',
    done_by: item.done_by === '' ? null : item.done_by,
    done_at: item.done_at,
    score: result.score ?? null,
    reviewer: result.reviewer ?? null,
    value: result.value ?? null,
    scored_at: result.scored_at ?? null,
    annotation_ref: result.annotation_ref ?? null,
  }
}

/** In a spreadsheet a text value is the text, not its JSON. */
function cells(result: Result): readonly unknown[] {
  const row = record(result)
  return COLUMNS.map((name) => (name === 'value' ? csvValue(result.value) : row[name]))
}

function csvValue(value: RawJson | undefined): unknown {
  if (value === undefined) return null
  const { text } = value
  if (text.startsWith('"')) return JSON.parse(text) as string
  if (text === 'true' || text === 'false') return text === 'true'
  const number = numberValue(value)
  return number !== undefined && String(number) === text ? number : value
}

/** Numbers are compared by value, everything else by its JSON text. */
function rating(value: RawJson): Rating {
  return numberValue(value) ?? value.text.slice(0, MAX_RATING_CHARACTERS)
}

function scoreAgreement(score: string, rated: readonly ReadonlyMap<string, Rating>[]): ScoreAgreement {
  const isNumeric = rated.every((item) => [...item.values()].every((value) => typeof value === 'number'))
  const level = isNumeric ? 'interval' : 'nominal'
  return { score, level, ...measureAgreement(rated, level) }
}
