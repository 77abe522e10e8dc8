import { describe, expect, test } from 'vitest'
import { readCursor, writeCursor } from './live-cursor.ts'
import { liveEvents, type LogHistory, type LogRow, type PriorRow } from './live-events.ts'

const row = (more: Partial<LogRow>): LogRow => ({
  record_type: 'call',
  id: 'a',
  block: 10,
  offset: 0,
  is_deleted: false,
  version: 1n,
  content_hash: 'started',
  trace_id: 't',
  parent_id: '',
  thread_id: '',
  op_name: 'op',
  display_name: '',
  started_at: '2026-11-15T00:00:00.000000Z',
  ended_at: null,
  has_exception: false,
  feedback_type: '',
  weave_ref: '',
  wb_user_id: '',
  at: 1_000n,
  ...more,
})
const ENDED = { version: 5n, content_hash: 'ended', ended_at: '2026-11-15T00:00:01.000000Z' }

function toPriorRows(rows: readonly LogRow[]): PriorRow[] {
  return rows.map((other) => ({ ...other, is_ended: other.ended_at !== null }))
}

/** The kinds of events sent for these rows of the log, in order. */
function kinds(rows: readonly LogRow[], more: Partial<LogHistory> = {}): string[] {
  const placed = rows.map((each, i) => ({ ...each, block: 10 + i }))
  const history: LogHistory = {
    priorRows: new Map([['a', toPriorRows(placed)]]),
    storedBefore: new Map(),
    logStart: 0n,
    ...more,
  }
  return placed.flatMap((each) => liveEvents(each, history)).map(({ kind }) => kind)
}

describe('rows of one call', () => {
  test('a start and its end are each sent once, even if stored repeatedly', () => {
    const started = row({})
    const ended = row(ENDED)
    expect(kinds([started, ended])).toEqual(['start', 'end'])
    expect(kinds([started, started, ended, started, ended])).toEqual(['start', 'end'])
    expect(kinds([ended, started, ended])).toEqual(['start', 'end'])
  })

  test('a row with a lower version than a visible one causes no event', () => {
    expect(kinds([row(ENDED), row({ ...ENDED, version: 4n, content_hash: 'another end' })])).toEqual([
      'start',
      'end',
    ])
    expect(kinds([row(ENDED), row({ ...ENDED, version: 6n, content_hash: 'another end' })])).toEqual([
      'start',
      'end',
      'update',
    ])
  })

  test('the same content with a higher rank causes no event', () => {
    expect(kinds([row(ENDED), row({ ...ENDED, version: 1n << 112n })])).toEqual(['start', 'end'])
  })

  test('no events follow a deletion', () => {
    const deleted = row({ is_deleted: true, version: 9n, content_hash: 'gone' })
    expect(kinds([row({}), deleted, row(ENDED), deleted])).toEqual(['start', 'delete'])
  })

  test('a call stored before the log is not sent again', () => {
    const before = (was_ended: boolean) => ({ storedBefore: new Map([['a', { was_ended }]]) })
    expect(kinds([row(ENDED)], before(false))).toEqual(['end'])
    expect(kinds([row(ENDED)], before(true))).toEqual(['update'])
  })

  test('the cursor between two events of one row points at the second', () => {
    const history: LogHistory = { priorRows: new Map(), storedBefore: new Map(), logStart: 0n }
    const cursors = liveEvents(row({ ...ENDED, block: 3, offset: 7 }), history).map(({ cursor }) =>
      readCursor(cursor),
    )
    expect(cursors).toEqual([
      { at: 1_000n, block: 3, offset: 7, step: 1 },
      { at: 1_000n, block: 3, offset: 8, step: 0 },
    ])
    for (const cursor of cursors) expect(readCursor(writeCursor(cursor))).toEqual(cursor)
  })
})

test('feedback with the id of a call is a separate record', () => {
  const feedback = row({ record_type: 'feedback', version: 1n, content_hash: '1' })
  expect(kinds([row({}), feedback])).toEqual(['start', 'feedback'])
})
