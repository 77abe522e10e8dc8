import type { Arguments, World } from '../command.ts'
import type { JournalHead } from './journal.ts'
import type { Report } from './report.ts'

/** The report, for a person or as the last line for a program. */
export function printOutcome(head: JournalHead, report: Report, args: Arguments, world: World): void {
  const { copied, counts, digests, problems, problemCount, missing, missingCount, isWhole } = report
  if (args.flag('json')) {
    const outcome = {
      is_whole: isWhole,
      ...head,
      copied,
      counts,
      digests,
      problemCount,
      problems,
      missingCount,
      missing,
    }
    world.stdout.write(`${JSON.stringify(outcome)}\n`)
    return
  }
  const lines = [
    `${head.project_id} of ${head.from} -> ${head.to_project_id} of ${head.to}`,
    ...Object.entries(counts).map(([what, { from, to }]) => `  ${what.padEnd(9)} ${from} there, ${to} here`),
    `  digests   ${digests.equal} equal, ${digests.renamed} renamed because of the refs inside`,
    ...listed(missing, missingCount, 'not at the source either'),
    ...listed(problems, problemCount, 'problems'),
  ]
  world.stdout.write(`${lines.join('\n')}\n`)
}

function listed(items: readonly string[], count: number, title: string): string[] {
  if (count === 0) return []
  const more = count > items.length ? [`    and ${count - items.length} more`] : []
  return [`  ${title}: ${count}`, ...items.map((item) => `    ${item.replace(/\p{Cc}/gu, '?')}`), ...more]
}
