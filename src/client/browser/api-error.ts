/** What a browser needs of how requests fail, from one place. */
export { ApiError } from '../../contract/api-error.ts'
export { isPassing } from '../retrying-fetch.ts'
