import { createRootRoute, createRoute, redirect } from '@tanstack/react-router'
import { NotFound } from './frame/not-found.tsx'
import { PageError } from './frame/page-error.tsx'
import { RootLayout } from './frame/root-layout.tsx'
import { lazyPage } from './loading/lazy-page.tsx'
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
  component: lazyPage(() => import('./signin/sign-in-page.tsx'), 'SignInPage'),
})

export const projects = createRoute({
  getParentRoute: () => root,
  path: '/projects',
  component: lazyPage(() => import('./projects/projects-page.tsx'), 'ProjectsPage'),
})

export const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  component: lazyPage(() => import('./settings/account-page.tsx'), 'AccountPage'),
})

export const server = createRoute({
  getParentRoute: () => root,
  path: '/server',
  component: lazyPage(() => import('./settings/server-page.tsx'), 'ServerPage'),
})
