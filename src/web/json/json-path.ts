/** Path of a value in a JSON document. */
export type JsonPath = readonly (string | number)[]

/** A path in the query language: `inputs.user.tier`, `output.0.doc`. */
export function queryPath(document: string, path: JsonPath): string {
  return [document, ...path.map((step) => String(step).replaceAll('\\', '\\\\').replaceAll('.', '\\.'))].join(
    '.',
  )
}
