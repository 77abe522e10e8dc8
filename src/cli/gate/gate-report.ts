import type { GateCheck, GateResult, GateVerdict } from '../../contract/evaluations/gates.ts'

/** The result of a gate as text, Markdown, JUnit XML, and annotations of GitHub and GitLab. */

const VERDICT_WORDS: Readonly<Record<GateVerdict, string>> = {
  pass: 'pass',
  fail: 'fail',
  not_enough_data: 'not enough data',
}

function heading({ verdict, run_name, baseline_name, evaluation }: GateResult): string {
  return `${evaluation}: ${VERDICT_WORDS[verdict]}: run ${run_name}, baseline ${baseline_name}`
}

function notes({ quarantined, expired }: GateResult): string[] {
  return [
    ...(quarantined === 0 ? [] : [`${count(quarantined)} in quarantine did not count.`]),
    ...(expired.length === 0
      ? []
      : [`The quarantine of ${count(expired.length)} is over: ${expired.slice(0, 10).join(', ')}`]),
  ]
}

function count(examples: number): string {
  return examples === 1 ? '1 example' : `${examples} examples`
}

export function textReport(result: GateResult): string {
  const lines = [
    heading(result),
    ...result.checks.map((check) => `  ${VERDICT_WORDS[check.verdict]}  ${check.score}  ${check.text}`),
    ...notes(result).map((note) => `  ${note}`),
  ]
  return lines.map((line) => `${oneLine(line)}\n`).join('')
}

export function markdownReport(result: GateResult): string {
  const rows = result.checks.map(
    (check) =>
      `| ${VERDICT_WORDS[check.verdict]} | ${cell(check.score)} | ${cell(check.text)} | ${exact(check)} |`,
  )
  return [
    `### ${cell(heading(result))}`,
    '',
    '| verdict | score | result | estimate (interval) |',
    '|---|---|---|---|',
    ...rows,
    '',
    ...notes(result).map((note) => `${cell(note)}\n`),
  ].join('\n')
}

function exact({ estimate, low, high }: GateCheck): string {
  if (estimate === null || low === null || high === null) return '–'
  return `${short(estimate)} (${short(low)} to ${short(high)})`
}

function short(value: number): string {
  return String(Number(value.toPrecision(4)))
}

/** Names are text of users: they must not add cells, markup or lines. */
function cell(text: string): string {
  return oneLine(text).replaceAll(/[\\|<>[\]`*_#~&]/g, (character) => `&#${character.charCodeAt(0)};`)
}

function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ')
}

/** One test case for each check. Too little data is an error, which is not a failed check. */
export function junitReport(result: GateResult): string {
  const failures = result.checks.filter(({ verdict }) => verdict === 'fail').length
  const errors = result.checks.filter(({ verdict }) => verdict === 'not_enough_data').length
  const cases = result.checks.map((check) => {
    const name = `name="${xml(`${check.score} ${check.rule}`)}" classname="${xml(result.evaluation)}"`
    const element = check.verdict === 'fail' ? 'failure' : 'error'
    return check.verdict === 'pass'
      ? `  <testcase ${name}/>`
      : `  <testcase ${name}>\n    <${element} message="${xml(check.text)}"/>\n  </testcase>`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="heddle gate" tests="${result.checks.length}" failures="${failures}" errors="${errors}">`,
    ...cases,
    '</testsuite>',
    '',
  ].join('\n')
}

function xml(text: string): string {
  return oneLine(text).replaceAll(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Workflow commands, which GitHub shows as annotations of the run. */
export function githubAnnotations(result: GateResult): string {
  return result.checks
    .filter(({ verdict }) => verdict !== 'pass')
    .map(({ verdict, score, text }) => {
      const level = verdict === 'fail' ? 'error' : 'warning'
      const title = `heddle gate: ${score}`.replaceAll(/[%\r\n:,]/g, percentEncode)
      return `::${level} title=${title}::${text.replaceAll(/[%\r\n]/g, percentEncode)}\n`
    })
    .join('')
}

function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

/** A report of GitLab's code quality widget, which is how a job without a license annotates a merge request. */
export function gitlabReport(result: GateResult, rulesFile: string): string {
  const issues = result.checks
    .filter(({ verdict }) => verdict !== 'pass')
    .map(({ verdict, score, rule, text }) => ({
      description: `${score}: ${text}`,
      check_name: `heddle gate ${rule}`,
      fingerprint: Buffer.from(`${result.evaluation} ${score} ${rule}`).toString('hex'),
      severity: verdict === 'fail' ? 'blocker' : 'minor',
      location: { path: rulesFile, lines: { begin: 1 } },
    }))
  return `${JSON.stringify(issues, null, 2)}\n`
}
