import { describe, expect, test } from 'vitest'
import { parseRef } from '../contract/objects/ref.ts'
import { contentDigest, tableDigest, valueDigest } from '../core/objects/digest.ts'
import { find, stringMember } from '../core/json/navigate.ts'
import { parseTime } from '../core/time/time.ts'
import { agentCallId, makeDemo, demoTime } from './demo.ts'
import type { DemoCall } from './steps.ts'

const NOW = 1_800_000_000_000_000n
const DAY = 86_400_000_000n
const PROJECT = 'acme/demo'

const demo = makeDemo(PROJECT, NOW)
const nameOf = ({ start }: DemoCall): string => {
  const ref = parseRef(start.op_name)
  return ref?.kind === 'op' ? ref.name : ''
}
const byId = new Map(demo.calls.map((call) => [call.start.id, call]))
const roots = demo.calls.filter(({ start }) => start.parent_id === null)
const startOf = ({ start }: DemoCall): bigint => parseTime(String(start.started_at)) ?? 0n
const endOf = ({ end }: DemoCall): bigint => parseTime(String(end?.ended_at ?? '')) ?? 0n

function depthOf({ start }: DemoCall): number {
  const parent = byId.get(start.parent_id ?? '')
  return parent === undefined ? 1 : 1 + depthOf(parent)
}

test('the demo is deterministic, and another project gets other ids', () => {
  expect(JSON.stringify(makeDemo(PROJECT, NOW))).toBe(JSON.stringify(demo))
  const later = makeDemo(PROJECT, NOW + DAY)
  expect(later.calls.map(({ start }) => start.id)).toEqual(demo.calls.map(({ start }) => start.id))
  const other = new Set(makeDemo('acme/other', NOW).calls.map(({ start }) => start.id))
  expect(demo.calls.some(({ start }) => other.has(start.id))).toBe(false)
  expect(byId.size).toBe(demo.calls.length)
  expect(new Set(demo.feedback.map(({ id }) => id)).size).toBe(demo.feedback.length)
})

test('the time of a demo follows from the start of its agent trace', () => {
  const agent = byId.get(agentCallId(PROJECT))
  expect(agent && demoTime(startOf(agent))).toBe(NOW)
})

describe('calls', () => {
  test('lie within their parents and within the last week', () => {
    for (const call of demo.calls) {
      const parent = byId.get(call.start.parent_id ?? '')
      expect(NOW - startOf(call)).toBeGreaterThan(0n)
      expect(NOW - startOf(call)).toBeLessThan(7n * DAY)
      if (parent === undefined) continue
      expect(parent.start.trace_id).toBe(call.start.trace_id)
      expect(startOf(call)).toBeGreaterThanOrEqual(startOf(parent))
      expect(endOf(call)).toBeLessThanOrEqual(endOf(parent))
    }
  })

  test('include an agent that recovers from one failed tool call', () => {
    const agent = byId.get(agentCallId(PROJECT))!
    const trace = demo.calls.filter(({ start }) => start.trace_id === agent.start.trace_id)
    expect(trace.length).toBeGreaterThanOrEqual(24)
    expect(Math.max(...trace.map(depthOf))).toBe(3)
    const failed = trace.filter(({ end }) => typeof end?.exception === 'string')
    expect(failed.map(nameOf)).toEqual(['track_parcel'])
    expect(agent.end?.exception).toBeUndefined()
    expect(agent.end?.summary && find(agent.end.summary, 'status_counts')?.text).toBe(
      `{"success":${trace.length - 1},"error":1}`,
    )
  })

  test('include forty turns of three users in five threads', () => {
    const turns = roots.filter((call) => nameOf(call) === 'chat_turn')
    const users = turns.map(({ start }) => stringMember(start.attributes!, 'user'))
    expect([turns.length, new Set(users).size]).toEqual([40, 3])
    expect(new Set(turns.map(({ start }) => start.thread_id)).size).toBe(5)
    expect(turns.every(({ start }) => start.turn_id === start.id)).toBe(true)
    expect(turns.filter(({ end }) => typeof end?.exception === 'string')).toHaveLength(2)
  })

  test('include one running call', () => {
    expect(demo.calls.filter(({ end }) => end === undefined).map(nameOf)).toEqual(['weekly_report'])
  })

  test('include two evaluation runs over twelve rows with two scorers', () => {
    const runs = roots.filter((call) => nameOf(call) === 'Evaluation.evaluate')
    expect(runs).toHaveLength(2)
    for (const { start } of runs) {
      const below = demo.calls.filter((call) => call.start.parent_id === start.id).map(nameOf)
      expect(below.filter((name) => name === 'Evaluation.predict_and_score')).toHaveLength(12)
      expect(below.at(-1)).toBe('Evaluation.summarize')
    }
  })
})

test('every ref resolves within the demo', () => {
  const known = new Set([
    ...demo.objects.map(({ object_id, val }) => `${object_id}:${valueDigest(val)}`),
    ...demo.calls.map(({ start }) => start.id),
    tableDigest(demo.rows.map(valueDigest)),
  ])
  const text = JSON.stringify([demo.objects, demo.calls, demo.feedback])
  const refs = Array.from(text.matchAll(/weave:\/\/\/[^"\\]+/g), ([ref]) => parseRef(ref))
  expect(refs.length).toBeGreaterThan(500)
  for (const ref of refs) {
    expect(ref?.project_id).toBe(PROJECT)
    expect(known).toContain(ref && 'id' in ref ? ref.id : `${ref?.name}:${ref?.digest}`)
  }
  const digests = demo.files.map(contentDigest)
  for (const { val } of demo.objects) {
    const files = find(val, 'files')
    if (files !== undefined) expect(digests).toContain(stringMember(files, 'obj.py'))
  }
})

test('the tokens of a trace are the sum over its model calls, as SDKs report them', () => {
  const usageOf = ({ end }: DemoCall): Record<string, Record<string, number>> =>
    end?.summary === undefined || end.summary === null
      ? {}
      : (JSON.parse(find(end.summary, 'usage')?.text ?? '{}') as never)
  const parents = new Set(demo.calls.map(({ start }) => start.parent_id))
  const total = (calls: readonly DemoCall[]): number =>
    calls
      .flatMap((call) => Object.values(usageOf(call)))
      .reduce((sum, { total_tokens = 0 }) => sum + total_tokens, 0)
  const leafCalls = demo.calls.filter(({ start }) => !parents.has(start.id ?? ''))
  expect(total(roots)).toBeGreaterThan(1000)
  expect(total(roots)).toBe(total(leafCalls))
})
