import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { columnLetter } from '../compare/compared-ids.ts'
import { Dialog } from '../ui/dialog.tsx'
import { formatPercent } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import { type MetricComparison, verdictDetails, verdictText } from './verdict-text.ts'
import type { Run } from './run.ts'
import styles from './verdicts.module.css'

interface Props {
  readonly project: Project
  /** The baseline first. */
  readonly runs: readonly Run[]
  readonly lowerIsBetter: ReadonlySet<string>
}

/** For each run but the baseline, what the examples show about its scores, and what may be chance. */
export function Verdicts({ project, runs, lowerIsBetter }: Props) {
  const [isHelpOpen, setHelpOpen] = useState(false)
  const [baseline, ...others] = runs
  const lower = [...lowerIsBetter].sort()
  const comparisons = useQueries({
    queries: others.map(({ id }) => ({
      queryKey: ['comparison', project.project_id, baseline?.id, id, ...lower],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        api.call(
          'evaluation_compare',
          { ...projectParams(project), baseline: baseline?.id ?? '', run: id, lower_is_better: lower },
          signal,
        ),
      enabled: baseline !== undefined,
    })),
  })
  if (comparisons.every(({ data }) => data === undefined || data.metrics.length === 0)) return null
  return (
    <section className={styles.verdicts} aria-label="What the differences mean">
      <div className={styles.head}>
        <span className="faint">Compared with A, example by example</span>
        <button
          type="button"
          className={styles.help}
          aria-label="How the differences are computed"
          onClick={() => setHelpOpen(true)}
        >
          ?
        </button>
      </div>
      <ul>
        {comparisons.flatMap(({ data }, n) =>
          (data?.metrics ?? []).map((metric) => (
            <Verdict key={`${n} ${metric.name}`} letter={columnLetter(n + 1)} metric={metric} />
          )),
        )}
      </ul>
      <Method isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </section>
  )
}

const TONES = { better: 'better', worse: 'worse', no_difference: 'same', too_few: 'same' } as const

function Verdict({ letter, metric }: { readonly letter: string; readonly metric: MetricComparison }) {
  const { trials } = metric
  const flaky = trials?.run.flaky ?? 0
  const always = trials?.run.pass_always
  return (
    <li className={styles.verdict} title={verdictDetails(metric)}>
      <span className={styles.letter}>{letter}</span>
      <span className={`${styles.name} isolate`}>{visibleText(metric.name)}</span>
      <span className="difference" data-tone={TONES[metric.verdict]}>
        {verdictText(metric)}
      </span>
      {flaky > 0 && (
        <span className="faint">
          {flaky === 1 ? '1 flaky example' : `${flaky} flaky examples`}
          {typeof always === 'number' && `, always right in ${formatPercent(always)}`}
        </span>
      )}
    </li>
  )
}

function Method({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <Dialog title="How the differences are computed" isOpen={isOpen} onClose={onClose}>
      <div className="column">
        <p>
          Only examples with the score in both runs count. The range contains the true difference, which
          infinitely many examples would show, in 95 of 100 comparisons.
        </p>
        <p>
          “Unlikely to be chance”: if both runs were equally good, a difference like this would appear in less
          than 1 of 20 comparisons, all scores considered. “No difference shown” does not mean that the runs
          are equal: more examples may show one.
        </p>
        <p>
          Yes/no scores: McNemar’s test and Tango’s interval. Numbers: a permutation test and a bootstrap
          interval. Several trials of an example are averaged. The exact values are in the tooltip of each
          line.
        </p>
      </div>
    </Dialog>
  )
}
