import { expect, test } from 'vitest'
import { ProjectLoad } from './project-load.ts'

function totals(load: ProjectLoad): Record<string, number> {
  return Object.fromEntries(load.totals().map(([project, { bytes }]) => [project, bytes]))
}

test('without series for projects, all count as other', () => {
  const load = new ProjectLoad(0)
  load.add('acme/a', 2, 10)
  load.add('acme/b', 1, 5)
  expect(load.totals()).toEqual([['other', { records: 3, bytes: 15 }]])
})

test('a busier project takes the series of a quieter one, and no counter falls', () => {
  let nowMs = 0
  const load = new ProjectLoad(2, () => nowMs)
  load.add('acme/quiet', 1, 10)
  load.add('acme/steady', 1, 50)
  load.add('acme/busy', 1, 100)
  load.add('acme/tiny', 1, 1)
  expect(totals(load)).toEqual({ 'acme/quiet': 10, 'acme/steady': 50, other: 101 })
  nowMs += 11 * 60_000
  load.add('acme/busy', 1, 7)
  load.add('acme/quiet', 1, 3)
  expect(totals(load)).toEqual({ 'acme/steady': 50, 'acme/busy': 7, other: 104 })
})

test('the number of series is bounded whatever projects there are', () => {
  let nowMs = 0
  const load = new ProjectLoad(3, () => nowMs)
  for (let i = 0; i < 5_000; i++) {
    load.add(`acme/${i}`, 1, i)
    nowMs += 1_000
  }
  expect(load.totals()).toHaveLength(4)
})
