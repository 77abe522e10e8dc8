import type { ErrorComponentProps } from '@tanstack/react-router'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Page } from '../ui/page.tsx'

/** The error boundary of a page. The frame stays, so that the user can navigate away. */
export function PageError({ error, reset }: ErrorComponentProps) {
  return (
    <Page isScrolling>
      <ErrorNotice error={error} retry={reset} />
    </Page>
  )
}
