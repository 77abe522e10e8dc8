import { Button } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { Empty } from '../ui/empty.tsx'

/** No page has this address. */
export function Lost() {
  const router = useRouter()
  return (
    <main>
      <Empty
        icon="link"
        title="There is no page at this address"
        actions={
          <Button variant="default" onClick={() => void router.navigate({ to: '/projects' })}>
            All projects
          </Button>
        }
      >
        The link may be of another version of Heddle, or was cut off on its way.
      </Empty>
    </main>
  )
}
