import type { ErrorComponentProps } from '@tanstack/react-router'
import { ErrorNotice } from '../ui/error-notice.tsx'

/** The error boundary of a page. The layout stays, so that the user can navigate away. */
export function PageError({ error, reset }: ErrorComponentProps) {
  return (
    <main>
      <ErrorNotice error={error} retry={reset} />
    </main>
  )
}
