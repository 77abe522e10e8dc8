import { ApiError } from '../../contract/api-error.ts'

/** Checks the digest that a client expects. A silent mismatch would leave the client with refs that point nowhere. */
export function checkExpectedDigest(expected: string | null | undefined, digest: string): void {
  if (expected === null || expected === undefined || expected === '' || expected === digest) return
  throw new ApiError(
    'conflict',
    `the content has digest ${digest}, but expected_digest is ${expected}; send the digest of this content or omit it`,
  )
}
