/** Re-export for upper layers. Refs are defined in the contract, which needs them for authorization. */
export { formatRef, type ObjectRef, parseRef } from '../../contract/objects/ref.ts'
