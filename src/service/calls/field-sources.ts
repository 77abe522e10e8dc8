import type { SortBy } from '../../contract/fields.ts'
import type { Operand } from '../../core/query/ast.ts'
import { namesField } from '../../core/query/names-field.ts'
import type { FieldSources } from '../../store/calls/fields.ts'
import type { RefJoins } from '../../store/calls/ref-joins.ts'
import { costExpression, listUsedModels } from '../../store/costs/call-cost.ts'
import { findModelPrices } from '../costs/model-prices.ts'
import type { Deps } from '../deps.ts'

interface RequestedFields {
  readonly sort_by?: SortBy
  /** Fields whose values are returned. */
  readonly fields?: readonly string[]
  readonly refJoins?: RefJoins
}

/** Reads what the fields of a query and a sort order need before they can be compiled: prices, for costs. */
export async function readFieldSources(
  deps: Pick<Deps, 'db' | 'defaultPrices'>,
  project_id: string,
  query: Operand | undefined,
  { sort_by, fields, refJoins }: RequestedFields = {},
): Promise<FieldSources> {
  const isPriced =
    namesField(query, 'cost') ||
    sort_by?.some(({ field }) => field === 'cost') === true ||
    fields?.includes('cost') === true
  if (!isPriced) return { refJoins }
  const models = await listUsedModels(deps.db, project_id)
  return { refJoins, cost: costExpression(await findModelPrices(deps, project_id, models)) }
}
