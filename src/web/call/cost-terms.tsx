import type { BrowserResponse } from '../../client/browser/client.ts'
import { formatCost, formatCount, formatPrice } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import styles from './cost-terms.module.css'
import { builtInPriceText, effectiveDay, PROJECT_PRICE } from './price-labels.ts'

/** The cost of one call or of many. */
type ExplainedCost = Pick<BrowserResponse<'project_costs'>, 'terms' | 'prices' | 'cost'>

/** The calculation of a cost: tokens × price in effect, one line per term, and the total. */
export function CostTerms({ costs }: { readonly costs: ExplainedCost }) {
  const sources = new Map(costs.prices.map((price) => [price.id, price]))
  return (
    <div className={styles.wide} tabIndex={0} role="region" aria-label="Cost calculation">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Tokens</th>
            <th scope="col">Calculation</th>
            <th scope="col">Price</th>
          </tr>
        </thead>
        <tbody>
          {costs.terms.map((term, i) => (
            <tr key={i}>
              <td>
                <code className="isolate">{visibleText(term.model)}</code>
              </td>
              <td>{term.kind.replaceAll('_', ' ')}</td>
              <td className={styles.sum} title={`${term.arithmetic} ${term.unit}`}>
                {term.unit === 'USD' ? calculationText(term) : `${term.arithmetic} ${term.unit}`}
              </td>
              <td className={styles.faint}>{sourceText(sources.get(term.price_id))}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              Total
            </th>
            <td className={styles.sum} title={`${costs.cost.text} USD`}>
              {formatCost(Number(costs.cost.text))}
            </td>
            <td />
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

/** `2,004 × $0.15 / 1M tokens = $0.0003` */
function calculationText({ tokens, cost_per_token, cost }: ExplainedCost['terms'][number]): string {
  const amount = formatCount(Number(tokens.text))
  return `${amount} × ${formatPrice(cost_per_token.text)} = ${formatCost(Number(cost.text))}`
}

function sourceText(price: ExplainedCost['prices'][number] | undefined): string {
  if (price === undefined) return ''
  const source = price.source === 'own' ? PROJECT_PRICE : builtInPriceText(price.provider_id)
  const day = effectiveDay(price.effective_date)
  return day === undefined ? source : `${source}, from ${day}`
}
