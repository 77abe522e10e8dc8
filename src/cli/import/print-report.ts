import type { Arguments, Environment } from '../command.ts'
import type { JournalHead } from './journal.ts'
import type { Report } from './report.ts'

/** Prints the report of an import as text, or as JSON with --json. */
export function printReport(
  head: JournalHead,
  report: Report,
  args: Arguments,
  environment: Environment,
): void {
  const { copied, counts, digests, problems, problemCount, missing, missingCount, isComplete } = report
  if (args.flag('json')) {
    const outcome = {
      is_complete: isComplete,
      ...head,
      copied,
      counts,
      digests,
      problemCount,
      problems,
      missingCount,
      missing,
    }
    environment.stdout.write(`${JSON.stringify(outcome)}\n`)
    return
  }
  const lines = [
    `${head.project_id} at ${head.from} -> ${head.to_project_id} at ${head.to}`,
    ...Object.entries(counts).map(
      ([type, { from, to }]) => `  ${type.padEnd(9)} source ${from}, target ${to}`,
    ),
    `  digests   ${digests.equal} equal, ${digests.renamed} changed because of refs inside`,
    ...listedItems(missing, missingCount, 'referenced but missing at the source'),
    ...listedItems(problems, problemCount, 'problems'),
  ]
  environment.stdout.write(`${lines.join('\n')}\n`)
}

function listedItems(items: readonly string[], count: number, title: string): string[] {
  if (count === 0) return []
  const more = count > items.length ? [`    and ${count - items.length} more`] : []
  return [`  ${title}: ${count}`, ...items.map((item) => `    ${item.replace(/\p{Cc}/gu, '?')}`), ...more]
}
