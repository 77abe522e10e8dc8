import { CostTerms } from './cost-terms.tsx'
import styles from './costs-page.module.css'
import type { CostExplanation } from './use-costs.ts'

/** What a time cost, written out, beside what programs themselves reported. */
export function Arithmetic({ costs }: { readonly costs: CostExplanation }) {
  return (
    <section className={styles.card} aria-labelledby="arithmetic">
      <h2 id="arithmetic">How it adds up</h2>
      <CostTerms costs={costs} />
      {costs.reported !== null && (
        <p className={styles.faint}>
          Programs themselves reported {costs.reported.cost.text} USD for some of these calls; by the prices
          the same tokens come to {costs.reported.computed.text} USD, a difference of{' '}
          {costs.reported.difference.text} USD.
        </p>
      )}
    </section>
  )
}
