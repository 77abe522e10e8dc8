import { createRoute, notFound, redirect } from '@tanstack/react-router'
import { ProjectLayout } from './frame/project-layout.tsx'
import { account, home, projects, root, server, signIn } from './server-routes.tsx'
import { lazyPage } from './loading/lazy-page.tsx'
import { isSegment } from './objects/object-kind.ts'
import { readSearch } from './search-state.ts'
import { readListSearch } from './traces/list-search.ts'

/** The route tree. Project routes match the links that SDKs print. The code of a page is loaded when it is first opened. */
const project = createRoute({
  getParentRoute: () => root,
  path: '/$entity/$project',
  component: ProjectLayout,
})

/** What people type. */
const projectIndex = createRoute({
  getParentRoute: () => project,
  path: '/',
  beforeLoad: ({ params }) => {
    redirect({ to: '/$entity/$project/weave', params, replace: true, throw: true })
  },
})

const projectHome = createRoute({
  getParentRoute: () => project,
  path: '/weave',
  component: lazyPage(() => import('./setup/project-home.tsx'), 'ProjectHome'),
})

const setup = createRoute({
  getParentRoute: () => project,
  path: '/weave/setup',
  component: lazyPage(() => import('./setup/setup-page.tsx'), 'SetupPage'),
})

const traces = createRoute({
  getParentRoute: () => project,
  path: '/weave/traces',
  validateSearch: readListSearch,
  component: lazyPage(() => import('./traces/traces-page.tsx'), 'TracesPage'),
})

const calls = createRoute({
  getParentRoute: () => project,
  path: '/weave/calls',
  beforeLoad: ({ params, search }) => {
    redirect({ to: '/$entity/$project/weave/traces', params, search, throw: true })
  },
})

const call = createRoute({
  getParentRoute: () => project,
  path: '/weave/calls/$call_id',
  validateSearch: readSearch.trace,
  component: lazyPage(() => import('./trace/trace-page.tsx'), 'TracePage'),
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
  validateSearch: readSearch.threads,
  component: lazyPage(() => import('./threads/threads-page.tsx'), 'ThreadsPage'),
})

const thread = createRoute({
  getParentRoute: () => project,
  path: '/weave/threads/$thread_id',
  component: lazyPage(() => import('./threads/thread-page.tsx'), 'ThreadPage'),
})

/** The thread link of some SDKs, in which the slashes of an id are not encoded. */
const conversation = createRoute({
  getParentRoute: () => project,
  path: '/weave/agents/conversations/$',
  beforeLoad: ({ params: { _splat: thread_id = '', ...params } }) => {
    if (thread_id === '') notFound({ throw: true })
    const to = '/$entity/$project/weave/threads/$thread_id'
    redirect({ to, params: { ...params, thread_id }, replace: true, throw: true })
  },
})

const users = createRoute({
  getParentRoute: () => project,
  path: '/weave/users',
  validateSearch: readSearch.users,
  component: lazyPage(() => import('./users/users-page.tsx'), 'UsersPage'),
})

const user = createRoute({
  getParentRoute: () => project,
  path: '/weave/users/$end_user',
  validateSearch: readSearch.users,
  component: lazyPage(() => import('./users/user-page.tsx'), 'UserPage'),
})

const dashboard = createRoute({
  getParentRoute: () => project,
  path: '/weave/dashboard',
  validateSearch: readSearch.dashboard,
  component: lazyPage(() => import('./dashboard/dashboard-page.tsx'), 'DashboardPage'),
})

const dashboards = createRoute({
  getParentRoute: () => project,
  path: '/weave/dashboards',
  component: lazyPage(() => import('./dashboard/dashboards-page.tsx'), 'DashboardsPage'),
})

const customDashboard = createRoute({
  getParentRoute: () => project,
  path: '/weave/dashboards/$dashboard_id',
  validateSearch: readSearch.dashboard,
  component: lazyPage(() => import('./dashboard/custom-page.tsx'), 'CustomDashboardPage'),
})

const costs = createRoute({
  getParentRoute: () => project,
  path: '/weave/costs',
  validateSearch: readSearch.costs,
  component: lazyPage(() => import('./costs/costs-page.tsx'), 'CostsPage'),
})

const sql = createRoute({
  getParentRoute: () => project,
  path: '/weave/sql',
  validateSearch: readSearch.sql,
  component: lazyPage(() => import('./sql/sql-page.tsx'), 'SqlPage'),
})

const settings = createRoute({
  getParentRoute: () => project,
  path: '/weave/settings',
  validateSearch: readSearch.settings,
  component: lazyPage(() => import('./settings/settings-page.tsx'), 'SettingsPage'),
})

const objectsPage = lazyPage(() => import('./objects/objects-page.tsx'), 'ObjectsPage')

const objects = createRoute({
  getParentRoute: () => project,
  path: '/weave/objects',
  validateSearch: readSearch.objects,
  component: objectsPage,
})

const datasets = createRoute({
  getParentRoute: () => project,
  path: '/weave/datasets',
  validateSearch: readSearch.objects,
  component: objectsPage,
})

const prompts = createRoute({
  getParentRoute: () => project,
  path: '/weave/prompts',
  validateSearch: readSearch.objects,
  component: objectsPage,
})

/** Any other segment is not an object kind, and not a page. */
function checkKind(kind: string): void {
  if (!isSegment(kind)) notFound({ throw: true })
}

const objectsOfKind = createRoute({
  getParentRoute: () => project,
  path: '/weave/$kind',
  validateSearch: readSearch.objects,
  beforeLoad: ({ params }) => checkKind(params.kind),
  component: objectsPage,
})

const object = createRoute({
  getParentRoute: () => project,
  path: '/weave/$kind/$name',
  beforeLoad: ({ params }) => checkKind(params.kind),
  component: lazyPage(() => import('./objects/object-page.tsx'), 'ObjectPage'),
})

const objectDiff = createRoute({
  getParentRoute: () => project,
  path: '/weave/$kind/$name/diff',
  validateSearch: readSearch.diff,
  beforeLoad: ({ params }) => checkKind(params.kind),
  component: lazyPage(() => import('./objects/object-diff-page.tsx'), 'ObjectDiffPage'),
})

const objectVersion = createRoute({
  getParentRoute: () => project,
  path: '/weave/$kind/$name/versions/$digest',
  validateSearch: readSearch.version,
  beforeLoad: ({ params }) => checkKind(params.kind),
  component: lazyPage(() => import('./objects/object-version-page.tsx'), 'ObjectVersionPage'),
})

const newDataset = createRoute({
  getParentRoute: () => project,
  path: '/weave/new-dataset',
  validateSearch: readSearch.newDataset,
  component: lazyPage(() => import('./datasets/new-dataset-page.tsx'), 'NewDatasetPage'),
})

const compare = createRoute({
  getParentRoute: () => project,
  path: '/weave/compare',
  validateSearch: readSearch.compare,
  component: lazyPage(() => import('./compare/compare-page.tsx'), 'ComparePage'),
})

const evaluations = createRoute({
  getParentRoute: () => project,
  path: '/weave/evaluations',
  validateSearch: readSearch.evaluations,
  component: lazyPage(() => import('./evaluations/evaluations-page.tsx'), 'EvaluationsPage'),
})

const evaluationRun = createRoute({
  getParentRoute: () => project,
  path: '/weave/evaluations/$call_id',
  validateSearch: readSearch.results,
  component: lazyPage(() => import('./evaluations/run-page.tsx'), 'RunPage'),
})

const compareEvaluations = createRoute({
  getParentRoute: () => project,
  path: '/weave/compare-evaluations',
  validateSearch: readSearch.compareRuns,
  component: lazyPage(() => import('./evaluations/compare-runs-page.tsx'), 'CompareRunsPage'),
})

const queues = createRoute({
  getParentRoute: () => project,
  path: '/weave/queues',
  component: lazyPage(() => import('./queues/queues-page.tsx'), 'QueuesPage'),
})

const queue = createRoute({
  getParentRoute: () => project,
  path: '/weave/queues/$queue_id',
  validateSearch: readSearch.queue,
  component: lazyPage(() => import('./queues/queue-page.tsx'), 'QueuePage'),
})

export const routeTree = root.addChildren([
  home,
  signIn,
  projects,
  account,
  server,
  project.addChildren([
    projectIndex,
    projectHome,
    setup,
    traces,
    calls,
    call,
    traceCall,
    callLink,
    threads,
    users,
    user,
    thread,
    conversation,
    dashboard,
    dashboards,
    customDashboard,
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
    prompts,
    objectsOfKind,
    object,
    objectDiff,
    objectVersion,
    newDataset,
  ]),
])
