/** How a response says that it leaves out shards of a cluster, which are unavailable. */

/** Sent as `true` by clients that accept such responses. */
export const ACCEPT_PARTIAL_HEADER = 'heddle-accept-partial'

/** Of the response: the numbers of the shards that are left out. */
export const PARTIAL_HEADER = 'heddle-partial'

/** The numbers in the header; none without it. */
export function partialShards(header: string | null): number[] {
  return header === null || header === '' ? [] : header.split(',').map(Number)
}
