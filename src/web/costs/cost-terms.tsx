import { visibleText } from '../ui/visible-text.ts'
import styles from './cost-terms.module.css'
import { sinceText } from './since-text.ts'
import type { CostExplanation } from './use-costs.ts'

/** Of one call or of many. */
type Explained = Pick<CostExplanation, 'terms' | 'prices' | 'cost'>

/** A cost written out: tokens times the price that was in force, one line for each, and their sum. */
export function CostTerms({ costs }: { readonly costs: Explained }) {
  const sources = new Map(costs.prices.map((price) => [price.id, price]))
  return (
    <div className={styles.wide} tabIndex={0} role="region" aria-label="How the cost adds up">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Tokens</th>
            <th scope="col">Arithmetic</th>
            <th scope="col">Price from</th>
          </tr>
        </thead>
        <tbody>
          {costs.terms.map((term, i) => (
            <tr key={i}>
              <td>
                <code className="foreign">{visibleText(term.model)}</code>
              </td>
              <td>{term.kind.replaceAll('_', ' ')}</td>
              <td className={styles.sum}>
                {term.arithmetic} {term.unit}
              </td>
              <td className={styles.faint}>{sourceText(sources.get(term.price_id))}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              Together
            </th>
            <td className={styles.sum}>{costs.cost.text} USD</td>
            <td />
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

function sourceText(price: Explained['prices'][number] | undefined): string {
  if (price === undefined) return ''
  const whose = price.source === 'own' ? "the project's own" : `built in (${price.provider_id})`
  return `${whose}, ${sinceText(price.effective_date)}`
}
