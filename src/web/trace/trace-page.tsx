import { ActionIcon, Tooltip } from '@mantine/core'
import { useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router'
import { inPath, useProject } from '../api/project.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { Icon } from '../ui/icon.tsx'
import styles from './trace-page.module.css'
import type { TraceSearch } from './trace-search.ts'
import { TraceView } from './trace-view.tsx'

const HERE = '/$entity/$project/weave/calls/$call_id'

/** A trace as a page of its own, where links of SDKs lead. */
export function TracePage() {
  const project = useProject()
  const { call_id } = useParams({ from: HERE })
  const search = useSearch({ from: HERE })
  const navigate = useNavigate({ from: HERE })
  const router = useRouter()
  const toList = (): void => {
    // Back to the list as it was, if that is where somebody came from.
    if (router.history.canGoBack()) router.history.back()
    else void navigate({ to: '/$entity/$project/weave/traces', params: { ...project }, search: {} })
  }
  useShortcuts('Trace', [
    { keys: 'Escape', label: 'Back to the list', run: toList },
    {
      keys: 'c',
      label: 'Compare the call with another',
      run: () =>
        void navigate({
          to: '/$entity/$project/weave/compare',
          params: inPath(project),
          search: { calls: call_id },
        }),
    },
  ])
  return (
    <div className={styles.page}>
      <TraceView
        project={project}
        callId={call_id}
        search={search}
        onCall={(id) =>
          void navigate({ params: { ...project, call_id: id }, search: (before) => before, replace: true })
        }
        onSearch={(next) =>
          void navigate({
            params: { ...project, call_id },
            search: (before) => ({ ...before, ...next }) as TraceSearch,
            replace: true,
          })
        }
        actions={
          <Tooltip label="To the list (Esc)">
            <ActionIcon aria-label="To the list" onClick={toList}>
              <Icon name="close" size={14} />
            </ActionIcon>
          </Tooltip>
        }
      />
    </div>
  )
}
