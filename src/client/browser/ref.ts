/** Refs, re-exported for the browser. The contract's module imports nothing, so it is small. */
export { formatRef, parseRef } from '../../contract/objects/ref.ts'
