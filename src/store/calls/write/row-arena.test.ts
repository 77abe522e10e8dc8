import { describe, expect, it } from 'vitest'
import { RecordClock } from '../../../core/calls/record-clock.ts'
import { RawJson } from '../../../contract/raw-json.ts'
import { ColumnExtractor } from '../columns/column-extractor.ts'
import { RecordEncoder } from './record-encoder.ts'
import { RowArena } from './row-arena.ts'

const KIB = 1024

describe('RowArena', () => {
  it('reuses a block when every request with rows in it has been acknowledged', () => {
    const arena = new RowArena()
    const first = arena.blockFor(100)
    first.users = 2
    first.writer.raw(Buffer.alloc(500 * KIB))
    const second = arena.blockFor(100 * KIB)
    expect(second).not.toBe(first)
    second.writer.raw(Buffer.alloc(500 * KIB))
    arena.release(first)
    expect(arena.freeBlocks).toBe(0)
    arena.release(first)
    expect(arena.freeBlocks).toBe(1)
    expect(arena.blockFor(100 * KIB)).toBe(first)
    expect(first.writer.length).toBe(0)
  })

  it('drops a block that a large record has grown', () => {
    const arena = new RowArena()
    const block = arena.blockFor(2_000 * KIB)
    block.users = 1
    block.writer.raw(Buffer.alloc(2_000 * KIB))
    arena.blockFor(1)
    arena.release(block)
    expect(arena.freeBlocks).toBe(0)
  })
})

describe('RecordEncoder', () => {
  const newEncoder = () =>
    new RecordEncoder({
      sent_by: 'u',
      now: 1n,
      newId: () => 'new',
      clock: new RecordClock(),
      columns: new ColumnExtractor(),
    })
  const record = (id: string, text: string) => ({
    project_id: 'p/p',
    id,
    trace_id: 't',
    op_name: 'op',
    started_at: 1_000n,
    ended_at: 2_000n,
    attributes: RawJson.fromText('{}'),
    inputs: RawJson.fromBytes(Buffer.from(JSON.stringify({ text }))),
    output: null,
    summary: RawJson.fromText('{}'),
  })

  it('keeps the rows of a request that is not stored while others reuse their memory', () => {
    const waiting = newEncoder()
    const row = waiting.complete(record('a', 'x'.repeat(1_000))).row!
    const before = Buffer.from(row)
    for (let n = 0; n < 2_000; n++) {
      const encoder = newEncoder()
      encoder.complete(record('b', `${n}`.repeat(500)))
      encoder.release()
    }
    expect(row.equals(before)).toBe(true)
  })

  it('keeps what it encoded before a record that outgrows its block', () => {
    const encoder = newEncoder()
    const { start } = encoder.start(record('a', 'small')).facts
    const copies = [start.body, encoder.end(record('a', '')).end.body].map((body) => Buffer.from(body))
    const facts = encoder.start(record('a', 'small')).facts
    encoder.complete(record('b', 'y'.repeat(700 * KIB)))
    expect(facts.start.body.equals(copies[0]!)).toBe(true)
    expect(start.body.equals(copies[0]!)).toBe(true)
  })
})
