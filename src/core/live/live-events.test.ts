import { describe, expect, test } from 'vitest'
import { readCursor, writeCursor } from './live-cursor.ts'
import { eventsOf, type History, type LogRow, type Said } from './live-events.ts'

const row = (more: Partial<LogRow>): LogRow => ({
  noun: 'call',
  id: 'a',
  block: 10,
  offset: 0,
  is_deleted: false,
  version: 1n,
  says: 'started',
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
const ENDED = { version: 5n, says: 'ended', ended_at: '2026-11-15T00:00:01.000000Z' }

function saidOf(rows: readonly LogRow[]): Said[] {
  return rows.map((other) => ({ ...other, is_ended: other.ended_at !== null }))
}

/** The kinds told, when these rows stand in the log in this order. */
function kinds(rows: readonly LogRow[], more: Partial<History> = {}): string[] {
  const placed = rows.map((each, i) => ({ ...each, block: 10 + i }))
  const history: History = { said: new Map([['a', saidOf(placed)]]), before: new Map(), began: 0n, ...more }
  return placed.flatMap((each) => eventsOf(each, history)).map(({ kind }) => kind)
}

describe('rows of one call', () => {
  test('a start and its end are told once, however often each is there', () => {
    const started = row({})
    const ended = row(ENDED)
    expect(kinds([started, ended])).toEqual(['start', 'end'])
    expect(kinds([started, started, ended, started, ended])).toEqual(['start', 'end'])
    expect(kinds([ended, started, ended])).toEqual(['start', 'end'])
  })

  test('a row that readers never see, for a higher version is there, is not told', () => {
    expect(kinds([row(ENDED), row({ ...ENDED, version: 4n, says: 'another end' })])).toEqual(['start', 'end'])
    expect(kinds([row(ENDED), row({ ...ENDED, version: 6n, says: 'another end' })])).toEqual([
      'start',
      'end',
      'update',
    ])
  })

  test('the same facts under a higher rank are no news', () => {
    expect(kinds([row(ENDED), row({ ...ENDED, version: 1n << 112n })])).toEqual(['start', 'end'])
  })

  test('nothing is told after a deletion', () => {
    const deleted = row({ is_deleted: true, version: 9n, says: 'gone' })
    expect(kinds([row({}), deleted, row(ENDED), deleted])).toEqual(['start', 'delete'])
  })

  test('what was stored before the log began is not told again', () => {
    const before = (was_ended: boolean) => ({ before: new Map([['a', { was_ended }]]) })
    expect(kinds([row(ENDED)], before(false))).toEqual(['end'])
    expect(kinds([row(ENDED)], before(true))).toEqual(['update'])
  })

  test('the cursor between two events of one row names the second', () => {
    const history: History = { said: new Map(), before: new Map(), began: 0n }
    const cursors = eventsOf(row({ ...ENDED, block: 3, offset: 7 }), history).map(({ cursor }) =>
      readCursor(cursor),
    )
    expect(cursors).toEqual([
      { at: 1_000n, block: 3, offset: 7, step: 1 },
      { at: 1_000n, block: 3, offset: 8, step: 0 },
    ])
    for (const cursor of cursors) expect(readCursor(writeCursor(cursor))).toEqual(cursor)
  })
})

test('feedback under the id of a call is another record', () => {
  const feedback = row({ noun: 'feedback', version: 1n, says: '1' })
  expect(kinds([row({}), feedback])).toEqual(['start', 'feedback'])
})
