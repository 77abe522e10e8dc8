/** Errors of the API client, re-exported for the browser. */
export { ApiError } from '../../contract/api-error.ts'
export { isRetryable } from '../retry.ts'
