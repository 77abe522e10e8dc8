import { useNavigate, useSearch } from '@tanstack/react-router'
import { useProject } from '../api/project.ts'
import { Page, PageHeader } from '../ui/page.tsx'
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
import { Storage } from './storage.tsx'

const TABS = [
  { value: 'members', label: 'Members' },
  { value: 'general', label: 'General' },
  { value: 'scores', label: 'Scores' },
  { value: 'keys', label: 'API keys' },
  { value: 'storage', label: 'Storage' },
  { value: 'retention', label: 'Retention' },
  { value: 'danger', label: 'Danger zone' },
] as const

const HERE = '/$entity/$project/weave/settings'

/** Project settings: members, name, scores, API keys, storage, retention and deletion. */
export function SettingsPage() {
  const project = useProject()
  useDocumentTitle('Settings', project.project_id)
  const search = useSearch({ from: HERE })
  const tab = TABS.find(({ value }) => value === search.tab)?.value ?? 'members'
  const navigate = useNavigate({ from: HERE })
  return (
    <Page>
      <PageHeader title="Settings" summary={project.project_id} />
      <TabView
        label="Settings sections"
        tabs={TABS}
        value={tab}
        onChange={(value) => void navigate({ search: value === 'members' ? {} : { tab: value } })}
        panelClassName="scroll"
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
    </Page>
  )
}
