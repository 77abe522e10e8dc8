import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { fieldHint, type ScoreField } from '../annotation/score-field.ts'
import { SpecDialog } from '../annotation/spec-dialog.tsx'
import { type ScoreSpec, useArchiveSpec, useSpecs } from '../annotation/use-specs.ts'
import type { Project } from '../api/project.ts'
import { useProjects } from '../api/projects.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { SimpleTable } from '../ui/simple-table.tsx'
import { visibleText } from '../ui/visible-text.ts'
import styles from './settings-page.module.css'

/** The scores of the project: create, edit, archive and restore. */
export function Scores({ project }: { readonly project: Project }) {
  const specs = useSpecs(project)
  const archive = useArchiveSpec(project)
  const role = useProjects().data?.projects.find(({ project_id }) => project_id === project.project_id)?.role
  const [edited, setEdited] = useState<ScoreSpec | 'new'>()
  const active = specs.data?.filter(({ isArchived }) => !isArchived) ?? []
  const archived = specs.data?.filter(({ isArchived }) => isArchived) ?? []
  const canWrite = role !== 'read'
  const setArchived = (spec: ScoreSpec, isArchived: boolean): void => archive.mutate({ spec, isArchived })
  return (
    <section className="card" aria-labelledby="scores">
      <h2 id="scores">Scores</h2>
      <p className="faint">
        Questions that reviewers answer about a call. An archived score is not offered for review; its values
        stay visible and can be filtered.
      </p>
      {specs.isError && <ErrorNotice error={specs.error} retry={() => void specs.refetch()} />}
      {specs.isSuccess && active.length === 0 && <p className="faint">No active scores.</p>}
      {active.length > 0 && (
        <ScoreTable caption="Scores" specs={active}>
          {(spec) =>
            canWrite && (
              <>
                <Button
                  variant="subtle"
                  size="compact-sm"
                  aria-label={`Edit ${spec.name}`}
                  onClick={() => setEdited(spec)}
                >
                  Edit
                </Button>
                <Button
                  variant="subtle"
                  size="compact-sm"
                  aria-label={`Archive ${spec.name}`}
                  onClick={() => setArchived(spec, true)}
                >
                  Archive
                </Button>
              </>
            )
          }
        </ScoreTable>
      )}
      {canWrite && (
        <div>
          <ActionButton variant="default" icon="plus" onClick={() => setEdited('new')}>
            New score
          </ActionButton>
        </div>
      )}
      {archived.length > 0 && (
        <>
          <h3 className={styles.subtitle}>Archived</h3>
          <ScoreTable caption="Archived scores" specs={archived}>
            {(spec) =>
              canWrite && (
                <Button
                  variant="subtle"
                  size="compact-sm"
                  aria-label={`Restore ${spec.name}`}
                  onClick={() => setArchived(spec, false)}
                >
                  Restore
                </Button>
              )
            }
          </ScoreTable>
        </>
      )}
      {archive.isError && <ErrorNotice error={archive.error} />}
      <SpecDialog project={project} spec={edited} onClose={() => setEdited(undefined)} />
    </section>
  )
}

interface TableProps {
  readonly caption: string
  readonly specs: readonly ScoreSpec[]
  readonly children: (spec: ScoreSpec) => ReactNode
}

function ScoreTable({ caption, specs, children }: TableProps) {
  return (
    <SimpleTable
      caption={caption}
      isRoomy
      rows={specs}
      rowKey={({ object_id }) => object_id}
      columns={[
        {
          label: 'Name',
          isRowHeader: true,
          cell: ({ name }) => <span className="isolate">{visibleText(name)}</span>,
        },
        { label: 'Question', className: 'wrap', cell: ({ description }) => visibleText(description) },
        { label: 'Values', className: 'wrap', cell: ({ field }) => visibleText(valuesText(field)) },
        { label: 'Actions', isLabelHidden: true, cell: children },
      ]}
    />
  )
}

function valuesText(field: ScoreField): string {
  if (field.kind === 'boolean') return 'Pass or fail'
  if (field.kind === 'options') return field.options.join(', ')
  return fieldHint(field)
}
