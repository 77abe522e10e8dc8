import { Button, Menu } from '@mantine/core'
import type { Project } from '../api/project.ts'
import { Icon } from '../ui/icon.tsx'
import { formatTime } from '../time/format.ts'
import type { ObjectVersion } from './object-kind.ts'
import styles from './version-menu.module.css'
import { useVersions } from './use-objects.ts'

interface Props {
  readonly project: Project
  readonly name: string
  readonly label: string
  readonly current: Pick<ObjectVersion, 'digest' | 'version_index' | 'is_latest'> | undefined
  readonly onVersion: (version: ObjectVersion) => void
}

/** The menu that shows the current version and switches to another. */
export function VersionMenu({ project, name, label, current, onVersion }: Props) {
  const versions = useVersions(project, name)
  const shown = current === undefined ? '…' : `v${current.version_index}`
  const latest = current?.is_latest === 1 ? ' latest' : ''
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          variant="default"
          size="compact-xs"
          aria-label={`${label}: ${shown}${latest}`}
          rightSection={<Icon name="chevronDown" size={12} />}
        >
          {shown}
          {latest !== '' && <span className={styles.latest}>{latest}</span>}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={styles.menu}>
        <Menu.Label>Versions</Menu.Label>
        {versions.data?.map((version) => (
          <Menu.Item
            key={version.digest}
            rightSection={<span className={styles.time}>{formatTime(version.created_at)}</span>}
            leftSection={<span className={styles.tick}>{version.digest === current?.digest ? '✓' : ''}</span>}
            onClick={() => onVersion(version)}
          >
            v{version.version_index}
            {version.is_latest === 1 ? ' latest' : ''}
            {[...(version.aliases ?? [])]
              .filter((alias) => alias !== 'latest')
              .map((alias) => ` @${alias}`)
              .join('')}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
