import type { ResponseOf, InputOf } from '../../contract/operations.ts'
import { isRefusal } from './report.ts'
import type { Transfer } from './transfer.ts'

type Price = ResponseOf<'cost_query'>['results'][number]
type NewPrice = InputOf<'cost_create'>['costs'][string]

/** The prices that the project set itself; every server has its own built-in ones. */
export async function copyCosts({ from, to, project_id, to_project_id, report }: Transfer): Promise<void> {
  for (const price of await listPrices(from, project_id)) {
    if (price.llm_id === undefined) continue
    try {
      // With its date a price is the same price each time it is sent.
      const costs = { [price.llm_id]: newPrice(price) }
      await to.call('cost_create', { project_id: to_project_id, costs })
      report.copied.costs++
    } catch (error) {
      if (!isRefusal(error)) throw error
      report.problem(`price of ${price.llm_id}`, error)
    }
  }
}

export async function listPrices(from: Transfer['from'], project_id: string): Promise<Price[]> {
  return (await from.call('cost_query', { project_id })).results
}

function newPrice({ id: _id, llm_id: _llm_id, ...terms }: Price): NewPrice {
  return terms as NewPrice
}
