import { Button } from '@mantine/core'
import { Page } from '../ui/page.tsx'
import { EmptyState } from '../ui/empty-state.tsx'

/** Instead of a page whose code cannot be loaded now. */
export function PageUnavailable({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <Page>
      <EmptyState
        icon="warning"
        title="This page cannot be loaded now"
        actions={
          <Button variant="default" onClick={onRetry}>
            Try again
          </Button>
        }
      >
        The server did not send it. The page opens as soon as the server is reachable; the other pages that
        you have opened stay usable.
      </EmptyState>
    </Page>
  )
}
