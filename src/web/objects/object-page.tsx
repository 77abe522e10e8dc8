import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useProject } from '../api/project.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import { Page } from '../ui/page.tsx'
import { DeleteVersions } from './delete-versions.tsx'
import { objectKind, kindSegment } from './object-kind.ts'
import { ObjectHead } from './object-head.tsx'
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
    <Page isSurface>
      <ObjectHead
        kind={kind}
        name={name}
        details={<span className="faint">{count === 1 ? '1 version' : `${count} versions`}</span>}
      >
        <ActionButton variant="subtle" color="danger" icon="trash" onClick={() => setDeleting(true)}>
          Delete {kind.singular}
        </ActionButton>
      </ObjectHead>
      <div className="scroll">
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
    </Page>
  )
}
