import { useNavigate, useSearch } from '@tanstack/react-router'
import { useProject } from '../api/project.ts'
import { PageHead } from '../ui/page-head.tsx'
import { TabList } from '../ui/tab-list.tsx'
import { useTitle } from '../ui/use-title.ts'
import { DangerZone } from './danger-zone.tsx'
import { Keys } from './keys.tsx'
import { Members } from './members.tsx'
import styles from './settings-page.module.css'
import { TABS } from './settings-search.ts'
import { Storage } from './storage.tsx'

const HERE = '/$entity/$project/weave/settings'

/** Who may do what, with which keys, how much is stored, and what can be deleted. */
export function SettingsPage() {
  const project = useProject()
  useTitle('Settings', project.project_id)
  const { tab = 'members' } = useSearch({ from: HERE })
  const navigate = useNavigate({ from: HERE })
  return (
    <div className={styles.page}>
      <PageHead title="Settings" about={project.project_id} />
      <div className={styles.tabs}>
        <TabList
          label="Parts of the settings"
          tabs={TABS}
          value={tab}
          onChange={(value) => void navigate({ search: value === 'members' ? {} : { tab: value } })}
        />
      </div>
      <div className={styles.body}>
        <div className={styles.content}>
          {tab === 'members' && <Members project={project} />}
          {tab === 'keys' && <Keys />}
          {tab === 'storage' && <Storage project={project} />}
          {tab === 'danger' && <DangerZone project={project} />}
        </div>
      </div>
    </div>
  )
}
