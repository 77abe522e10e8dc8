import { Button } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useProject } from '../api/project.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Icon } from '../ui/icon.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import { DeleteVersions } from './delete-versions.tsx'
import { objectKind, kindSegment } from './object-kind.ts'
import { ObjectHead } from './object-head.tsx'
import styles from './object-page.module.css'
import { useVersions } from './use-objects.ts'
import { VersionList } from './version-list.tsx'

/** The page of an object with all its versions. */
export function ObjectPage() {
  const { name } = useParams({ from: '/$entity/$project/weave/$kind/$name' })
  const project = useProject()
  useDocumentTitle(name, project.project_id)
  const versions = useVersions(project, name)
  const navigate = useNavigate()
  const [isDeleting, setDeleting] = useState(false)
  if (versions.isError) return <ErrorNotice error={versions.error} retry={() => void versions.refetch()} />
  if (versions.data === undefined) return null
  const [newest] = versions.data
  if (newest === undefined) {
    return (
      <EmptyState icon="objects" title="Object not found">
        This project has no object named “{name}”. It may have been deleted.
      </EmptyState>
    )
  }
  const kind = objectKind(newest)
  const segment = kindSegment(kind.name)
  const count = versions.data.length
  return (
    <div className={styles.page}>
      <ObjectHead
        kind={kind}
        name={name}
        details={<span className={styles.about}>{count === 1 ? '1 version' : `${count} versions`}</span>}
      >
        <Button
          variant="subtle"
          color="madder"
          leftSection={<Icon name="trash" size={14} />}
          onClick={() => setDeleting(true)}
        >
          Delete {kind.singular}
        </Button>
      </ObjectHead>
      <div className={styles.body}>
        <VersionList project={project} segment={segment} name={name} />
      </div>
      <DeleteVersions
        project={project}
        name={name}
        target={isDeleting ? 'all' : undefined}
        onClose={() => setDeleting(false)}
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
