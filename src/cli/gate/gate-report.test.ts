import { expect, test } from 'vitest'
import type { GateResult } from '../../contract/evaluations/gates.ts'
import { githubAnnotations, gitlabReport, junitReport, markdownReport, textReport } from './gate-report.ts'

const result: GateResult = {
  verdict: 'fail',
  run: 'r',
  run_name: 'new <prompt>',
  baseline: 'b',
  baseline_name: 'main',
  evaluation: 'nightly',
  checks: [
    {
      score: 'a|b',
      rule: 'min',
      limit: 0.8,
      verdict: 'pass',
      text: 'fine',
      estimate: 0.91,
      low: 0.88,
      high: 0.94,
    },
    {
      score: 'exact: "x"',
      rule: 'max_regression',
      limit: 0.05,
      verdict: 'fail',
      text: 'worse by\n6 points',
      estimate: -0.09,
      low: -0.12,
      high: -0.06,
    },
    {
      score: 'other',
      rule: 'missing',
      limit: null,
      verdict: 'not_enough_data',
      text: 'no example',
      estimate: null,
      low: null,
      high: null,
    },
  ],
  quarantined: 1,
  expired: ['row7'],
}

test('the text has a line for each check', () => {
  expect(textReport(result)).toBe(`nightly: fail: run new <prompt>, baseline main
  pass  a|b  fine
  fail  exact: "x"  worse by 6 points
  not enough data  other  no example
  1 example in quarantine did not count.
  The quarantine of 1 example is over: row7
`)
})

test('names add neither cells nor markup to the Markdown', () => {
  const markdown = markdownReport(result)
  expect(markdown).toContain('| pass | a&#124;b | fine | 0.91 (0.88 to 0.94) |')
  expect(markdown).toContain('run new &#60;prompt&#62;, baseline main')
  expect(markdown).toContain('worse by 6 points')
})

test('JUnit XML tells failures from too little data', () => {
  const xml = junitReport(result)
  expect(xml).toContain('tests="3" failures="1" errors="1"')
  expect(xml).toContain('<testcase name="exact: &#34;x&#34; max_regression" classname="nightly">')
  expect(xml).toContain('<failure message="worse by 6 points"/>')
  expect(xml).toContain('<error message="no example"/>')
})

test('annotations of GitHub escape line ends and separators', () => {
  expect(githubAnnotations(result)).toBe(
    '::error title=heddle gate%3A exact%3A "x"::worse by%0A6 points\n::warning title=heddle gate%3A other::no example\n',
  )
})

test('issues of GitLab have a fingerprint that is the same in each run', () => {
  const issues = JSON.parse(gitlabReport(result, 'gate.json')) as { fingerprint: string; severity: string }[]
  expect(issues.map(({ severity }) => severity)).toEqual(['blocker', 'minor'])
  expect(gitlabReport(result, 'gate.json')).toBe(gitlabReport(result, 'gate.json'))
})
