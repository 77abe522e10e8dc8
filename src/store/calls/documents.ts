import { type Sql, sql } from '../query/sql.ts'

/** The JSON documents of a call, in the form that the engine's functions can read. */
export const documents: ReadonlyMap<string, Sql> = new Map([
  ['inputs', sql`if(inputs_query_form = '', inputs, inputs_query_form)`],
  ['output', sql`if(output_query_form = '', output, output_query_form)`],
  ['attributes', sql`if(attributes_query_form = '', attributes, attributes_query_form)`],
  ['summary', sql`if(summary_query_form = '', summary, summary_query_form)`],
])
