import { expect, test } from 'vitest'
import { refsOfScores, scoresOfRefs } from './scorer-refs.ts'

const ref = (name: string, digest: string): string => `weave:///acme/bot/object/${name}:${digest}`

test('the scores of a queue are the names of its refs, each once', () => {
  expect(scoresOfRefs([ref('correct', 'a'), ref('tone', 'b'), ref('correct', 'c'), 'other'])).toEqual([
    'correct',
    'tone',
  ])
})

test('a score has the refs that were sent, or the latest version', () => {
  const sent = [ref('correct', 'a'), ref('tone', 'b')]
  expect(refsOfScores('acme/bot', ['correct', 'tone'], sent)).toEqual(sent)
  expect(refsOfScores('acme/bot', ['tone', 'new'], sent)).toEqual([ref('tone', 'b'), ref('new', 'latest')])
})
