import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from '@tanstack/react-router'
import { authRequired } from './api/query-client.ts'
import { ProjectLayout } from './frame/project-layout.tsx'
import { NotFound } from './frame/not-found.tsx'
import { PageError } from './frame/page-error.tsx'
import { RootLayout } from './frame/root-layout.tsx'
import { isSegment } from './objects/object-kind.ts'
import {
  type DiffSearch,
  type ObjectsSearch,
  readDiffSearch,
  readObjectsSearch,
  readVersionSearch,
  type VersionSearch,
} from './objects/objects-search.ts'
import { type CompareSearch, readCompareSearch } from './compare/compare-search.ts'
import {
  type CompareRunsSearch,
  type EvaluationsSearch,
  readCompareRunsSearch,
  readEvaluationsSearch,
  readResultsSearch,
  type ResultsSearch,
} from './evaluations/evaluations-search.ts'
import { type CostsSearch, readCostsSearch } from './costs/costs-search.ts'
import { type DashboardSearch, readDashboardSearch } from './dashboard/dashboard-search.ts'
import { readSettingsSearch, type SettingsSearch } from './settings/settings-search.ts'
import { readSqlSearch, type SqlSearch } from './sql/sql-search.ts'
import { readThreadsSearch, type ThreadsSearch } from './threads/threads-search.ts'
import { type QueueSearch, readQueueSearch } from './queues/queue-search.ts'
import { type ListSearch, readListSearch } from './traces/list-search.ts'
import { readTraceSearch, type TraceSearch } from './trace/trace-search.ts'

/** The route tree. Project routes match the links that SDKs print. The code of a page is loaded when it is first opened. */
const root = createRootRoute({
  component: RootLayout,
  notFoundComponent: NotFound,
  errorComponent: PageError,
})

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    redirect({ to: '/projects', throw: true })
  },
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { next?: string } =>
    typeof search['next'] === 'string' ? { next: search['next'] } : {},
  component: lazyRouteComponent(() => import('./signin/sign-in-page.tsx'), 'SignInPage'),
})

const projects = createRoute({
  getParentRoute: () => root,
  path: '/projects',
  component: lazyRouteComponent(() => import('./projects/projects-page.tsx'), 'ProjectsPage'),
})

const project = createRoute({
  getParentRoute: () => root,
  path: '/$entity/$project',
  component: ProjectLayout,
})

const projectHome = createRoute({
  getParentRoute: () => project,
  path: '/weave',
  component: lazyRouteComponent(() => import('./setup/project-home.tsx'), 'ProjectHome'),
})

const setup = createRoute({
  getParentRoute: () => project,
  path: '/weave/setup',
  component: lazyRouteComponent(() => import('./setup/setup-page.tsx'), 'SetupPage'),
})

const tracesPage = lazyRouteComponent(() => import('./traces/traces-page.tsx'), 'TracesPage')

const traces = createRoute({
  getParentRoute: () => project,
  path: '/weave/traces',
  validateSearch: (search: Record<string, unknown>): ListSearch => readListSearch(search),
  component: tracesPage,
})

const calls = createRoute({
  getParentRoute: () => project,
  path: '/weave/calls',
  beforeLoad: ({ params, search }) => {
    redirect({ to: '/$entity/$project/weave/traces', params, search, throw: true })
  },
})

const tracePage = lazyRouteComponent(() => import('./trace/trace-page.tsx'), 'TracePage')

const call = createRoute({
  getParentRoute: () => project,
  path: '/weave/calls/$call_id',
  validateSearch: (search: Record<string, unknown>): TraceSearch => readTraceSearch(search),
  component: tracePage,
})

const traceCall = createRoute({
  getParentRoute: () => project,
  path: '/weave/traces/$call_id',
  beforeLoad: ({ params }) => {
    redirect({ to: '/$entity/$project/weave/calls/$call_id', params, search: {}, throw: true })
  },
})

const callLink = createRoute({
  getParentRoute: () => project,
  path: '/r/call/$call_id',
  beforeLoad: ({ params }) => {
    redirect({ to: '/$entity/$project/weave/calls/$call_id', params, search: {}, replace: true, throw: true })
  },
})

const threads = createRoute({
  getParentRoute: () => project,
  path: '/weave/threads',
  validateSearch: (search: Record<string, unknown>): ThreadsSearch => readThreadsSearch(search),
  component: lazyRouteComponent(() => import('./threads/threads-page.tsx'), 'ThreadsPage'),
})

const thread = createRoute({
  getParentRoute: () => project,
  path: '/weave/threads/$thread_id',
  component: lazyRouteComponent(() => import('./threads/thread-page.tsx'), 'ThreadPage'),
})

/** The thread link of some SDKs. */
const conversation = createRoute({
  getParentRoute: () => project,
  path: '/weave/agents/conversations/$thread_id',
  beforeLoad: ({ params }) => {
    redirect({ to: '/$entity/$project/weave/threads/$thread_id', params, replace: true, throw: true })
  },
})

const dashboard = createRoute({
  getParentRoute: () => project,
  path: '/weave/dashboard',
  validateSearch: (search: Record<string, unknown>): DashboardSearch => readDashboardSearch(search),
  component: lazyRouteComponent(() => import('./dashboard/dashboard-page.tsx'), 'DashboardPage'),
})

const costs = createRoute({
  getParentRoute: () => project,
  path: '/weave/costs',
  validateSearch: (search: Record<string, unknown>): CostsSearch => readCostsSearch(search),
  component: lazyRouteComponent(() => import('./costs/costs-page.tsx'), 'CostsPage'),
})

const sql = createRoute({
  getParentRoute: () => project,
  path: '/weave/sql',
  validateSearch: (search: Record<string, unknown>): SqlSearch => readSqlSearch(search),
  component: lazyRouteComponent(() => import('./sql/sql-page.tsx'), 'SqlPage'),
})

const settings = createRoute({
  getParentRoute: () => project,
  path: '/weave/settings',
  validateSearch: (search: Record<string, unknown>): SettingsSearch => readSettingsSearch(search),
  component: lazyRouteComponent(() => import('./settings/settings-page.tsx'), 'SettingsPage'),
})

const objectsPage = lazyRouteComponent(() => import('./objects/objects-page.tsx'), 'ObjectsPage')

const objects = createRoute({
  getParentRoute: () => project,
  path: '/weave/objects',
  validateSearch: (search: Record<string, unknown>): ObjectsSearch => readObjectsSearch(search),
  component: objectsPage,
})

const datasets = createRoute({
  getParentRoute: () => project,
  path: '/weave/datasets',
  validateSearch: (search: Record<string, unknown>): ObjectsSearch => readObjectsSearch(search),
  component: objectsPage,
})

/** Any other segment is not an object kind, and not a page. */
function checkKind(kind: string): void {
  if (!isSegment(kind)) notFound({ throw: true })
}

const objectsOfKind = createRoute({
  getParentRoute: () => project,
  path: '/weave/$kind',
  beforeLoad: ({ params }) => checkKind(params.kind),
  validateSearch: (search: Record<string, unknown>): ObjectsSearch => readObjectsSearch(search),
  component: objectsPage,
})

const object = createRoute({
  getParentRoute: () => project,
  path: '/weave/$kind/$name',
  beforeLoad: ({ params }) => checkKind(params.kind),
  component: lazyRouteComponent(() => import('./objects/object-page.tsx'), 'ObjectPage'),
})

const objectDiff = createRoute({
  getParentRoute: () => project,
  path: '/weave/$kind/$name/diff',
  beforeLoad: ({ params }) => checkKind(params.kind),
  validateSearch: (search: Record<string, unknown>): DiffSearch => readDiffSearch(search),
  component: lazyRouteComponent(() => import('./objects/object-diff-page.tsx'), 'ObjectDiffPage'),
})

const objectVersion = createRoute({
  getParentRoute: () => project,
  path: '/weave/$kind/$name/versions/$digest',
  beforeLoad: ({ params }) => checkKind(params.kind),
  validateSearch: (search: Record<string, unknown>): VersionSearch => readVersionSearch(search),
  component: lazyRouteComponent(() => import('./objects/object-version-page.tsx'), 'ObjectVersionPage'),
})

const newDataset = createRoute({
  getParentRoute: () => project,
  path: '/weave/new-dataset',
  validateSearch: (search: Record<string, unknown>): { into?: string } =>
    typeof search['into'] === 'string' && search['into'] !== '' ? { into: search['into'] } : {},
  component: lazyRouteComponent(() => import('./datasets/new-dataset-page.tsx'), 'NewDatasetPage'),
})

const compare = createRoute({
  getParentRoute: () => project,
  path: '/weave/compare',
  validateSearch: (search: Record<string, unknown>): CompareSearch => readCompareSearch(search),
  component: lazyRouteComponent(() => import('./compare/compare-page.tsx'), 'ComparePage'),
})

const evaluations = createRoute({
  getParentRoute: () => project,
  path: '/weave/evaluations',
  validateSearch: (search: Record<string, unknown>): EvaluationsSearch => readEvaluationsSearch(search),
  component: lazyRouteComponent(() => import('./evaluations/evaluations-page.tsx'), 'EvaluationsPage'),
})

const evaluationRun = createRoute({
  getParentRoute: () => project,
  path: '/weave/evaluations/$call_id',
  validateSearch: (search: Record<string, unknown>): ResultsSearch => readResultsSearch(search),
  component: lazyRouteComponent(() => import('./evaluations/run-page.tsx'), 'RunPage'),
})

const compareEvaluations = createRoute({
  getParentRoute: () => project,
  path: '/weave/compare-evaluations',
  validateSearch: (search: Record<string, unknown>): CompareRunsSearch => readCompareRunsSearch(search),
  component: lazyRouteComponent(() => import('./evaluations/compare-runs-page.tsx'), 'CompareRunsPage'),
})

const queues = createRoute({
  getParentRoute: () => project,
  path: '/weave/queues',
  component: lazyRouteComponent(() => import('./queues/queues-page.tsx'), 'QueuesPage'),
})

const queue = createRoute({
  getParentRoute: () => project,
  path: '/weave/queues/$queue_id',
  validateSearch: (search: Record<string, unknown>): QueueSearch => readQueueSearch(search),
  component: lazyRouteComponent(() => import('./queues/queue-page.tsx'), 'QueuePage'),
})

const routeTree = root.addChildren([
  home,
  signIn,
  projects,
  project.addChildren([
    projectHome,
    setup,
    traces,
    calls,
    call,
    traceCall,
    callLink,
    threads,
    thread,
    conversation,
    dashboard,
    costs,
    sql,
    settings,
    compare,
    evaluations,
    evaluationRun,
    compareEvaluations,
    queues,
    queue,
    objects,
    datasets,
    objectsOfKind,
    object,
    objectDiff,
    objectVersion,
    newDataset,
  ]),
])

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPendingMs: 200,
  // Search parameters are plain text, so that people can read and write URLs.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const entries = Object.entries(search).filter(([, value]) => typeof value === 'string' && value !== '')
    const text = new URLSearchParams(entries as [string, string][]).toString()
    // Filters often contain these characters, and a query string does not need them escaped.
    return text === '' ? '' : `?${text.replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%2F', '/')}`
  },
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
