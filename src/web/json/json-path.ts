/** A way into a document, step by step. */
export type JsonPath = readonly (string | number)[]

/** As the query language spells it: `inputs.user.tier`, `output.0.doc`. */
export function queryPath(document: string, path: JsonPath): string {
  return [document, ...path.map((step) => String(step).replaceAll('\\', '\\\\').replaceAll('.', '\\.'))].join(
    '.',
  )
}
