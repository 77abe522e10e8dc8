import type { SortBy } from '../../../contract/fields.ts'
import type { Operand } from '../../../core/query/ast.ts'
import { namesField, searchedPaths } from '../../../core/query/names-field.ts'
import { costExpression, listUsedModels } from '../../costs/call-cost.ts'
import { findModelPrices, type PriceReader } from '../../costs/model-prices.ts'
import type { Sql } from '../../query/sql.ts'
import type { DocumentFieldSampler } from './document-field-sampler.ts'
import type { FieldSources } from './field-resolver.ts'
import type { RefJoins } from './ref-joins.ts'

/** What the fields of a query are compiled with. */
export interface FieldReader extends PriceReader {
  readonly documentFields: DocumentFieldSampler
}

interface RequestedFields {
  readonly sort_by?: SortBy
  /** Fields whose values are returned. */
  readonly fields?: readonly string[] | undefined
  readonly refJoins?: RefJoins
}

/** Reads what the fields of a query and a sort order need before they can be compiled. */
export async function readFieldSources(
  reader: FieldReader,
  project_id: string,
  query: Operand | undefined,
  { sort_by, fields, refJoins }: RequestedFields = {},
): Promise<FieldSources> {
  const isPriced =
    namesField(query, 'cost') ||
    sort_by?.some(({ field }) => field === 'cost') === true ||
    fields?.includes('cost') === true
  const [documentFields, cost] = await Promise.all([
    reader.documentFields.find(project_id, searchedPaths(query)),
    isPriced ? readCostExpression(reader, project_id) : undefined,
  ])
  return { refJoins, cost, documentFields }
}

async function readCostExpression(reader: PriceReader, project_id: string): Promise<Sql> {
  const models = await listUsedModels(reader.db, project_id)
  return costExpression(await findModelPrices(reader, project_id, models))
}
