import type { SortBy } from '../../contract/fields.ts'
import type { Operand } from '../../core/query/ast.ts'
import { namesField, searchedPaths } from '../../core/query/names-field.ts'
import type { FieldSources } from '../../store/calls/fields.ts'
import type { RefJoins } from '../../store/calls/ref-joins.ts'
import { costExpression, listUsedModels } from '../../store/costs/call-cost.ts'
import type { Sql } from '../../store/query/sql.ts'
import { findModelPrices } from '../costs/model-prices.ts'
import type { Deps } from '../deps.ts'

interface RequestedFields {
  readonly sort_by?: SortBy
  /** Fields whose values are returned. */
  readonly fields?: readonly string[]
  readonly refJoins?: RefJoins
}

/** Reads what the fields of a query and a sort order need before they can be compiled. */
export async function readFieldSources(
  deps: Pick<Deps, 'db' | 'defaultPrices' | 'documentFields'>,
  project_id: string,
  query: Operand | undefined,
  { sort_by, fields, refJoins }: RequestedFields = {},
): Promise<FieldSources> {
  const isPriced =
    namesField(query, 'cost') ||
    sort_by?.some(({ field }) => field === 'cost') === true ||
    fields?.includes('cost') === true
  const [documentFields, cost] = await Promise.all([
    deps.documentFields.find(project_id, searchedPaths(query)),
    isPriced ? readCostExpression(deps, project_id) : undefined,
  ])
  return { refJoins, cost, documentFields }
}

async function readCostExpression(
  deps: Pick<Deps, 'db' | 'defaultPrices'>,
  project_id: string,
): Promise<Sql> {
  const models = await listUsedModels(deps.db, project_id)
  return costExpression(await findModelPrices(deps, project_id, models))
}
