/**
 * What becomes of the keys of a request that its schema does not have. A key that would have changed the result or the
 * effect must not be ignored in silence: `refused` keys are a 422, `reported` ones are named in a header of the response.
 */
export interface UnknownKeyRule {
  readonly top: UnknownKeyPolicy
  /** Of objects inside of the request, such as `filter`. */
  readonly nested: UnknownKeyPolicy
}

export type UnknownKeyPolicy = 'refused' | 'reported'

/** Of the response: the ignored keys of the request as dotted paths, separated by commas. */
export const IGNORED_FIELDS_HEADER = 'Heddle-Ignored-Fields'

export const REFUSE_UNKNOWN_KEYS: UnknownKeyRule = { top: 'refused', nested: 'refused' }

/**
 * The rule of an operation. Newer SDKs send newer keys at the top of their requests and in their records, and drop whole
 * batches on a 4xx. A misspelled key of a deletion deletes too much, and one of a filter selects too much.
 */
export function unknownKeyRule(operation: { deletes: boolean; storesRecords: boolean }): UnknownKeyRule {
  if (operation.deletes) return REFUSE_UNKNOWN_KEYS
  return { top: 'reported', nested: operation.storesRecords ? 'reported' : 'refused' }
}
