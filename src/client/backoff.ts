/** Exponential backoff, re-exported for the UI, which imports code through src/client only. */
export { backoffMs } from '../core/concurrency/backoff.ts'
