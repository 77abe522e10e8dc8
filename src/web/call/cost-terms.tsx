import type { BrowserResponse } from '../../client/browser/client.ts'
import { formatCost, formatCount, formatPrice } from '../ui/format.ts'
import { SimpleTable } from '../ui/simple-table.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { builtInPriceText, effectiveDay, PROJECT_PRICE } from './price-labels.ts'

/** The cost of one call or of many. */
type ExplainedCost = Pick<BrowserResponse<'project_costs'>, 'terms' | 'prices' | 'cost'>

/** The calculation of a cost: tokens × price in effect, one line per term, and the total. */
export function CostTerms({ costs }: { readonly costs: ExplainedCost }) {
  const sources = new Map(costs.prices.map((price) => [price.id, price]))
  return (
    <SimpleTable
      region="Cost calculation"
      rows={costs.terms}
      rowKey={(_term, i) => i}
      columns={[
        { label: 'Model', cell: ({ model }) => <code className="isolate">{visibleText(model)}</code> },
        { label: 'Tokens', cell: ({ kind }) => kind.replaceAll('_', ' ') },
        {
          label: 'Calculation',
          className: 'mono',
          title: ({ arithmetic, unit }) => `${arithmetic} ${unit}`,
          cell: (term) => (term.unit === 'USD' ? calculationText(term) : `${term.arithmetic} ${term.unit}`),
        },
        { label: 'Price', className: 'faint', cell: ({ price_id }) => sourceText(sources.get(price_id)) },
      ]}
      footer={
        <tr>
          <th scope="row" colSpan={2}>
            Total
          </th>
          <td className="mono" title={`${costs.cost.text} USD`}>
            {formatCost(Number(costs.cost.text))}
          </td>
          <td />
        </tr>
      }
    />
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
