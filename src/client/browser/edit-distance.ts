/** The similarity of names, re-exported for the browser. */
export { editDistance } from '../../core/text/edit-distance.ts'
