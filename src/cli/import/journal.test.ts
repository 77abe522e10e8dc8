import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Journal } from './journal.ts'

const directory = mkdtempSync(join(tmpdir(), 'heddle-journal-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))
const head = { from: 'http://a', to: 'http://b', project_id: 'e/p', to_project_id: 'e/p' }

test('an interrupted run continues after the last complete line', () => {
  const path = join(directory, 'deep', 'journal')
  const first = Journal.open(path, head)
  first.add('object', 'ü:1', '2')
  first.add('cursor', 'calls', 'one')
  first.close()
  appendFileSync(path, '["cursor","calls","tw')
  const second = Journal.open(path, head)
  expect(second.get('object', 'ü:1')).toBe('2')
  expect(second.get('cursor', 'calls')).toBe('one')
  second.add('cursor', 'calls', 'three')
  second.close()
  const third = Journal.open(path, head)
  expect(third.get('cursor', 'calls')).toBe('three')
  expect(third.count('object')).toBe(1)
  third.close()
})

test('the journal of another import is rejected', () => {
  const path = join(directory, 'other')
  Journal.open(path, head).close()
  expect(() => Journal.open(path, { ...head, project_id: 'e/q' })).toThrow(/journal of another import/)
})
