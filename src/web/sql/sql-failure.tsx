import { ApiError } from '../../client/browser/api-error.ts'
import { Failure } from '../ui/failure.tsx'
import { sqlAdvice } from './sql-advice.ts'
import styles from './sql-page.module.css'

/** What the engine said about a query, in its own words, and what to do about it. */
export function SqlFailure({ error }: { readonly error: unknown }) {
  const isOfQuery =
    error instanceof ApiError &&
    ['invalid_request', 'unprocessable', 'forbidden', 'timeout'].includes(error.code)
  if (!isOfQuery) return <Failure error={error} />
  const advice = sqlAdvice(`${error.code} ${error.message}`)
  return (
    <div className={styles.failure} role="alert">
      {advice !== undefined && <p className={styles.advice}>{advice}</p>}
      <pre className={styles.said}>{error.message}</pre>
    </div>
  )
}
