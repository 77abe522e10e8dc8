import { ApiError } from '../../contract/api-error.ts'

/** A client that names the digest it expects must not be told of another: its refs would point nowhere. */
export function checkDigest(expected: string | null | undefined, digest: string): void {
  if (expected === null || expected === undefined || expected === '' || expected === digest) return
  throw new ApiError('conflict', `the content has the digest ${digest}, not the expected ${expected}`)
}
