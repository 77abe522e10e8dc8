import { useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router'
import { type Project, projectParams, useProject } from '../api/project.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Page } from '../ui/page.tsx'
import { TraceSteps } from './trace-steps.tsx'
import { useNeighbors } from './use-neighbors.ts'
import { TraceView } from './trace-view.tsx'
import { useChangeSearch } from '../use-change-search.ts'

const ROUTE = '/$entity/$project/weave/calls/$call_id'

/** The full page of a trace. Links printed by SDKs lead here. */
export function TracePage() {
  const project = useProject()
  const { call_id } = useParams({ from: ROUTE })
  const search = useSearch({ from: ROUTE })
  const navigate = useNavigate({ from: ROUTE })
  const changeSearch = useChangeSearch('trace', { replace: true })
  const router = useRouter()
  const backToList = (): void => {
    // Goes back in the history if possible, so that the list keeps its state.
    if (router.history.canGoBack()) router.history.back()
    else void navigate({ to: '/$entity/$project/weave/traces', params: { ...project }, search: {} })
  }
  const openTrace = (id: string): void =>
    void navigate({
      params: { ...project, call_id: id },
      search: ({ view }) => (view === undefined ? {} : { view }),
    })
  useShortcuts('Trace', [
    { keys: 'Escape', label: 'Back to list', run: backToList },
    {
      keys: 'c',
      label: 'Compare with another call',
      run: () =>
        void navigate({
          to: '/$entity/$project/weave/compare',
          params: projectParams(project),
          search: { calls: call_id },
        }),
    },
  ])
  return (
    <Page>
      <TraceView
        project={project}
        callId={call_id}
        search={search}
        onCall={(id) =>
          void navigate({ params: { ...project, call_id: id }, search: (before) => before, replace: true })
        }
        onSearch={changeSearch}
        navigation={(rootId) => <PageSteps project={project} rootId={rootId} onTrace={openTrace} />}
        onDeleted={backToList}
        actions={
          <IconButton icon="close" label="Back to list" tooltip="Back to list (Esc)" onClick={backToList} />
        }
      />
    </Page>
  )
}

/** Steps by start time. Another component, because the root is known only when the trace is loaded. */
function PageSteps(props: {
  readonly project: Project
  readonly rootId: string | undefined
  readonly onTrace: (id: string) => void
}) {
  const { older, newer } = useNeighbors(props.project, props.rootId)
  const open = (id: string | undefined) => (id === undefined ? undefined : () => props.onTrace(id))
  useShortcuts('Trace', [
    { keys: 'j', label: 'Next trace', run: () => open(older)?.() },
    { keys: 'k', label: 'Previous trace', run: () => open(newer)?.() },
  ])
  return <TraceSteps onPrevious={open(newer)} onNext={open(older)} />
}
