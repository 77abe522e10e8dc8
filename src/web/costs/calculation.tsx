import { CostTerms } from '../call/cost-terms.tsx'
import type { JsonText } from '../../client/browser/json-text.ts'
import { formatCost } from '../ui/format.ts'
import styles from './costs-page.module.css'
import type { CostExplanation } from './use-costs.ts'

/** The cost calculation of a time range, and the cost that programs reported themselves. */
export function Calculation({ costs }: { readonly costs: CostExplanation }) {
  return (
    <section className={styles.card} aria-labelledby="calculation">
      <h2 id="calculation">Calculation</h2>
      <CostTerms costs={costs} />
      {costs.reported !== null && (
        <p className="faint">
          For some of these calls the program reported its own cost: <Money value={costs.reported.cost} />. At
          the prices above, the same tokens cost <Money value={costs.reported.computed} /> (difference:{' '}
          <Money value={costs.reported.difference} />
          ).
        </p>
      )}
    </section>
  )
}

function Money({ value }: { readonly value: JsonText }) {
  return <span title={`${value.text} USD`}>{formatCost(Number(value.text))}</span>
}
