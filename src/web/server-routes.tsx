import { createRootRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { NotFound } from './frame/not-found.tsx'
import { PageError } from './frame/page-error.tsx'
import { RootLayout } from './frame/root-layout.tsx'
import { readSearch } from './search-state.ts'

/** The root of the route tree, and the pages that belong to no project. */
export const root = createRootRoute({
  component: RootLayout,
  notFoundComponent: NotFound,
  errorComponent: PageError,
})

export const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    redirect({ to: '/projects', throw: true })
  },
})

export const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: readSearch.signIn,
  component: lazyRouteComponent(() => import('./signin/sign-in-page.tsx'), 'SignInPage'),
})

export const projects = createRoute({
  getParentRoute: () => root,
  path: '/projects',
  component: lazyRouteComponent(() => import('./projects/projects-page.tsx'), 'ProjectsPage'),
})

export const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  component: lazyRouteComponent(() => import('./settings/account-page.tsx'), 'AccountPage'),
})

export const server = createRoute({
  getParentRoute: () => root,
  path: '/server',
  component: lazyRouteComponent(() => import('./settings/server-page.tsx'), 'ServerPage'),
})
