import { Button } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { EmptyState } from '../ui/empty-state.tsx'

/** The page for unknown URLs. */
export function NotFound() {
  const router = useRouter()
  return (
    <main>
      <EmptyState
        icon="link"
        title="Page not found"
        actions={
          <Button variant="default" onClick={() => void router.navigate({ to: '/projects' })}>
            All projects
          </Button>
        }
      >
        The link may be incomplete, or from another version of Heddle.
      </EmptyState>
    </main>
  )
}
