import { CostTerms } from './cost-terms.tsx'
import styles from './costs-page.module.css'
import type { CostExplanation } from './use-costs.ts'

/** The cost calculation of a time range, and the cost that programs reported themselves. */
export function Calculation({ costs }: { readonly costs: CostExplanation }) {
  return (
    <section className={styles.card} aria-labelledby="calculation">
      <h2 id="calculation">Calculation</h2>
      <CostTerms costs={costs} />
      {costs.reported !== null && (
        <p className={styles.faint}>
          For some of these calls the program reported its own cost: {costs.reported.cost.text} USD. At the
          prices above, the same tokens cost {costs.reported.computed.text} USD (difference:{' '}
          {costs.reported.difference.text} USD).
        </p>
      )}
    </section>
  )
}
