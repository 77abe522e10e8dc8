import { expect, test } from 'vitest'
import { fromProjects, MAX_PROJECT_CONDITIONS } from '../../query/scope.ts'
import { compile } from '../../query/sql.ts'
import { byProjectAndTime, type CallKey } from './call-keys.ts'

/** Two calls with time-ordered ids in each of as many projects. */
function keys(projects: number): CallKey[] {
  return Array.from({ length: projects }, (_, n) =>
    ['a', 'b'].map((last) => ({
      project_id: `acme/${n}`,
      id: `01a1e3b0-b725-784b-bce0-96${last}${n}`.padEnd(36, '0'),
    })),
  ).flat()
}

test('the calls of a few projects are selected by one condition per project, with a span of ids', () => {
  const { text } = compile(fromProjects('call_ids', byProjectAndTime(keys(MAX_PROJECT_CONDITIONS))))
  expect(text.match(/project_id = /g)).toHaveLength(MAX_PROJECT_CONDITIONS)
  expect(text).toContain('id >=')
})

test('the calls of many projects are selected by one condition, each in its own project', () => {
  const many = keys(MAX_PROJECT_CONDITIONS + 1)
  const { text, params } = compile(fromProjects('call_ids', byProjectAndTime(many)))
  expect(text).toBe(`FROM call_ids
WHERE (((project_id, id) IN arrayZip({p0:Array(String)}, {p1:Array(String)})))`)
  expect(params).toEqual({ p0: many.map(({ project_id }) => project_id), p1: many.map(({ id }) => id) })
})
