import { Menu } from '@mantine/core'
import { useState } from 'react'
import type { Project } from '../api/project.ts'
import { SQL_QUERY_CLASS } from '../named-objects/classes.ts'
import { DeleteDialog } from '../named-objects/delete-dialog.tsx'
import { NameDialog, renaming } from '../named-objects/name-dialog.tsx'
import { MenuAction } from '../ui/action-menu.tsx'
import { ActionButton } from '../ui/action-button.tsx'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { isSameQuery, type SavedQuery, useSavedQueries, useSaveQuery } from './saved-queries.ts'
import styles from './sql-page.module.css'
import type { Search } from '../search-state.ts'

interface Props {
  readonly project: Project
  /** The search of the page, with the query as it is in the editor. */
  readonly search: Search<'sql'>
  readonly onNavigate: (search: Search<'sql'>) => void
}

/** Menu that opens, saves, renames and deletes saved queries. */
export function SavedQueriesMenu({ project, search, onNavigate }: Props) {
  const queries = useSavedQueries(project)
  const save = useSaveQuery(project)
  const opened = queries.data?.find(({ object_id }) => object_id === search.saved)
  const isModified = opened !== undefined && !isSameQuery(opened.search, search)
  const [naming, setNaming] = useState<'new' | 'rename'>()
  const [deleting, setDeleting] = useState<SavedQuery>()
  const canSave = search.query !== undefined && search.query.trim() !== ''
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionButton
            variant="default"
            icon="bookmark"
            rightSection={<Icon name="chevronDown" size={12} />}
          >
            {opened === undefined ? (
              'Saved queries'
            ) : (
              <>
                <span className="visually-hidden">Query </span>
                <span className="isolate">{visibleText(opened.label)}</span>
                {isModified && <span className={styles.modified}>modified</span>}
              </>
            )}
          </ActionButton>
        </Menu.Target>
        <Menu.Dropdown>
          {queries.data?.map((query) => (
            <Menu.Item
              key={query.object_id}
              onClick={() => onNavigate({ ...query.search, saved: query.object_id })}
            >
              <span className="isolate">{visibleText(query.label)}</span>
            </Menu.Item>
          ))}
          {queries.data !== undefined && queries.data.length > 0 && <Menu.Divider />}
          {opened !== undefined && (
            <MenuAction
              icon="check"
              disabled={!isModified || !canSave}
              onClick={() => save.mutate({ object_id: opened.object_id, label: opened.label, search })}
            >
              Save changes
            </MenuAction>
          )}
          <MenuAction icon="plus" disabled={!canSave} onClick={() => setNaming('new')}>
            {opened === undefined ? 'Save query' : 'Save as new query'}
          </MenuAction>
          {opened !== undefined && (
            <>
              <MenuAction icon="edit" onClick={() => setNaming('rename')}>
                Rename
              </MenuAction>
              <MenuAction color="danger" icon="trash" onClick={() => setDeleting(opened)}>
                Delete
              </MenuAction>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <NameDialog
        subject={
          naming === 'new'
            ? {
                title: 'Save query',
                action: 'Save',
                hint: 'Saves the query and how its result is shown, for everyone in the project. Dashboards can show it.',
              }
            : naming === 'rename' && opened !== undefined
              ? renaming(opened, 'Existing links and dashboards keep working.')
              : undefined
        }
        noun="query"
        placeholder="Slowest ops of the week"
        existing={queries.data ?? []}
        isPending={save.isPending}
        error={save.error}
        onClose={() => setNaming(undefined)}
        onSave={(label) =>
          save.mutate(
            naming === 'rename' && opened !== undefined
              ? { object_id: opened.object_id, label, search: opened.search }
              : { label, search },
            {
              onSuccess: ({ object_id }) => {
                if (naming === 'new') onNavigate({ ...search, saved: object_id })
                setNaming(undefined)
              },
            },
          )
        }
      />
      <DeleteDialog
        project={project}
        className={SQL_QUERY_CLASS}
        noun="query"
        hint="Dashboards that show it say so."
        subject={deleting}
        onClose={() => setDeleting(undefined)}
        onDeleted={() => {
          setDeleting(undefined)
          const { saved: _, ...rest } = search
          onNavigate(rest)
        }}
      />
    </>
  )
}
