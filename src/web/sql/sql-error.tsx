import { ApiError } from '../../client/browser/api-error.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { sqlHint } from './sql-hints.ts'
import styles from './sql-page.module.css'

/** Error message of ClickHouse for a query, with a hint on how to fix it. */
export function SqlError({ error }: { readonly error: unknown }) {
  const isQueryError =
    error instanceof ApiError &&
    ['invalid_request', 'unprocessable', 'forbidden', 'timeout'].includes(error.code)
  if (!isQueryError) return <ErrorNotice error={error} />
  const hint = sqlHint(`${error.code} ${error.message}`)
  return (
    <div className={styles.error} role="alert">
      {hint !== undefined && <p className={styles.hint}>{hint}</p>}
      <pre className="bad lines">{error.message}</pre>
    </div>
  )
}
