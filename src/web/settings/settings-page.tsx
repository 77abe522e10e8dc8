import { useNavigate, useSearch } from '@tanstack/react-router'
import { useProject } from '../api/project.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { TabView } from '../ui/tab-view.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import { DangerZone } from './danger-zone.tsx'
import { ApiKeys } from './api-keys.tsx'
import { DeleteProject } from './delete-project.tsx'
import { General } from './general.tsx'
import { Members } from './members.tsx'
import { Retention } from './retention.tsx'
import { Scores } from './scores.tsx'
import styles from './settings-page.module.css'
import { TABS } from './settings-search.ts'
import { Storage } from './storage.tsx'

const HERE = '/$entity/$project/weave/settings'

/** Project settings: members, name, scores, API keys, storage, retention and deletion. */
export function SettingsPage() {
  const project = useProject()
  useDocumentTitle('Settings', project.project_id)
  const { tab = 'members' } = useSearch({ from: HERE })
  const navigate = useNavigate({ from: HERE })
  return (
    <div className={styles.page}>
      <PageHeader title="Settings" summary={project.project_id} />
      <TabView
        label="Settings sections"
        tabs={TABS}
        value={tab}
        onChange={(value) => void navigate({ search: value === 'members' ? {} : { tab: value } })}
        panelClassName={styles.body}
        isPanelFocusable={false}
      >
        <div className={styles.content}>
          {tab === 'members' && <Members project={project} />}
          {tab === 'general' && <General project={project} />}
          {tab === 'scores' && <Scores project={project} />}
          {tab === 'keys' && <ApiKeys />}
          {tab === 'storage' && <Storage project={project} />}
          {tab === 'retention' && <Retention project={project} />}
          {tab === 'danger' && (
            <>
              <DangerZone project={project} />
              <DeleteProject project={project} />
            </>
          )}
        </div>
      </TabView>
    </div>
  )
}
