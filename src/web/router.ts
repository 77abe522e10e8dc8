import { createRouter } from '@tanstack/react-router'
import { BASE_PATH } from './api/base-path.ts'
import { authRequired } from './api/query-client.ts'
import { PageError } from './frame/page-error.tsx'
import { PageSkeleton } from './loading/page-skeleton.tsx'
import { routeTree } from './routes.tsx'
import { parseSearch, stringifySearch } from './search-text.ts'

export const router = createRouter({
  routeTree,
  basepath: BASE_PATH === '' ? '/' : BASE_PATH,
  defaultPreload: 'intent',
  defaultPendingMs: 200,
  defaultPendingComponent: PageSkeleton,
  // Each page has a boundary of its own, so that an error leaves the frame around it.
  defaultErrorComponent: PageError,
  parseSearch,
  stringifySearch,
})

authRequired.notify = () => {
  const { pathname, href } = router.state.location
  if (pathname !== '/sign-in') void router.navigate({ to: '/sign-in', search: { next: href }, replace: true })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
