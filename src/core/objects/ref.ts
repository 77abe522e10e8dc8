/** Refs live in the contract, which must know the projects a request touches; rooms above may read them from here. */
export { formatRef, type ObjectRef, parseRef } from '../../contract/objects/ref.ts'
