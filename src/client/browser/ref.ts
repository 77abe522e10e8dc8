/** Refs as the contract reads and writes them: that file imports nothing, so that it is light enough for a browser. */
export { formatRef, parseRef } from '../../contract/objects/ref.ts'
