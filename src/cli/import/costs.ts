import type { ResponseOf, InputOf } from '../../contract/operations.ts'
import { isRejection } from './report.ts'
import type { Transfer } from './transfer.ts'

type Price = ResponseOf<'cost_query'>['results'][number]
type NewPrice = InputOf<'cost_create'>['costs'][string]

/** Copies the project's own prices; every server has its own built-in ones. */
export async function copyCosts({ from, to, project_id, to_project_id, report }: Transfer): Promise<void> {
  for (const price of await listPrices(from, project_id)) {
    if (price.llm_id === undefined) continue
    try {
      // Idempotent: a price is identified by its effective date.
      const costs = { [price.llm_id]: newPrice(price) }
      await to.call('cost_create', { project_id: to_project_id, costs })
      report.copied.costs++
    } catch (error) {
      if (!isRejection(error)) throw error
      report.addProblem(`price of ${price.llm_id}`, error)
    }
  }
}

export async function listPrices(from: Transfer['from'], project_id: string): Promise<Price[]> {
  return (await from.call('cost_query', { project_id })).results
}

function newPrice({ id: _id, llm_id: _llm_id, ...terms }: Price): NewPrice {
  return terms as NewPrice
}
