import { Problem } from '../../contract/problem.ts'

/** A client that names the digest it expects must not be told of another: its refs would point nowhere. */
export function checkDigest(expected: string | null | undefined, digest: string): void {
  if (expected === null || expected === undefined || expected === '' || expected === digest) return
  throw new Problem('conflict', `the content has the digest ${digest}, not the expected ${expected}`)
}
