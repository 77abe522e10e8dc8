import { Button } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useProject } from '../api/project.ts'
import { Empty } from '../ui/empty.tsx'
import { Failure } from '../ui/failure.tsx'
import { Icon } from '../ui/icon.tsx'
import { useTitle } from '../ui/use-title.ts'
import { DeleteVersions } from './delete-versions.tsx'
import { kindOf, segmentOf } from './object-kind.ts'
import { ObjectHead } from './object-head.tsx'
import styles from './object-page.module.css'
import { useVersions } from './use-objects.ts'
import { VersionList } from './version-list.tsx'

/** Something that was published, with all of its versions. */
export function ObjectPage() {
  const { name } = useParams({ from: '/$entity/$project/weave/$kind/$name' })
  const project = useProject()
  useTitle(name, project.project_id)
  const versions = useVersions(project, name)
  const navigate = useNavigate()
  const [isDoomed, setDoomed] = useState(false)
  if (versions.isError) return <Failure error={versions.error} retry={() => void versions.refetch()} />
  if (versions.data === undefined) return null
  const [newest] = versions.data
  if (newest === undefined) {
    return (
      <Empty icon="objects" title="Nothing has this name">
        No object called “{name}” is in this project. It may have been deleted.
      </Empty>
    )
  }
  const kind = kindOf(newest)
  const segment = segmentOf(kind.name)
  const count = versions.data.length
  return (
    <div className={styles.page}>
      <ObjectHead
        kind={kind}
        name={name}
        about={<span className={styles.about}>{count === 1 ? '1 version' : `${count} versions`}</span>}
      >
        <Button
          variant="subtle"
          color="madder"
          leftSection={<Icon name="trash" size={14} />}
          onClick={() => setDoomed(true)}
        >
          Delete the {kind.one}
        </Button>
      </ObjectHead>
      <div className={styles.body}>
        <VersionList project={project} segment={segment} name={name} />
      </div>
      <DeleteVersions
        project={project}
        name={name}
        doomed={isDoomed ? 'all' : undefined}
        onClose={() => setDoomed(false)}
        onDeleted={() =>
          void navigate({
            to: '/$entity/$project/weave/$kind',
            params: { entity: project.entity, project: project.project, kind: segment },
            search: {},
          })
        }
      />
    </div>
  )
}
