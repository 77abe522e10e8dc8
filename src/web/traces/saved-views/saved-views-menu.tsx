import { Button, Popover, TextInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import type { Project } from '../../api/project.ts'
import { SAVED_VIEW_CLASS } from '../../named-objects/classes.ts'
import { DeleteDialog } from '../../named-objects/delete-dialog.tsx'
import { useShortcuts } from '../../shortcuts/shortcuts.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { ActionButton } from '../../ui/action-button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Icon } from '../../ui/icon.tsx'
import { viewToSearch } from './definition.ts'
import { NameViewDialog } from './dialogs.tsx'
import { type SavedView, useSavedViews } from './use-saved-views.ts'
import styles from './saved-views-menu.module.css'
import type { OpenedView } from './use-opened-view.ts'
import { useSaveView } from './use-save-view.ts'
import type { Search } from '../../search-state.ts'

/** A longer list gets a search field. */
const MAX_UNSEARCHED_VIEWS = 7

interface Props {
  readonly project: Project
  readonly search: Search<'traces'>
  readonly opened: OpenedView | undefined
  /** False while the filter is invalid. */
  readonly canSave: boolean
  /** Navigates to a list search. `isCorrection` replaces the history entry. */
  readonly onNavigate: (search: Search<'traces'>, isCorrection: boolean) => void
}

/** Menu that opens, saves, renames and deletes saved views. */
export function SavedViewsMenu({ project, search, opened, canSave, onNavigate }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [naming, setNaming] = useState<Parameters<typeof NameViewDialog>[0]['subject']>()
  const [deleting, setDeleting] = useState<SavedView>()
  const views = useSavedViews(project, isOpen || search.saved !== undefined)
  useShortcuts('List', [{ keys: 'v', label: 'Saved views', run: () => setOpen(true) }])
  const closeAnd = (run: () => void) => (): void => {
    setOpen(false)
    run()
  }
  const open = (view: SavedView | undefined): void => {
    setOpen(false)
    onNavigate(view === undefined ? {} : { ...viewToSearch(view).search, saved: view.object_id }, false)
  }
  return (
    <>
      <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={320} trapFocus returnFocus>
        <Popover.Target>
          <ActionButton
            variant="default"
            className={styles.button}
            icon="bookmark"
            rightSection={<Icon name="chevronDown" size={12} />}
            onClick={() => setOpen(!isOpen)}
          >
            {opened === undefined ? (
              'Views'
            ) : (
              <>
                <span className="visually-hidden">View </span>
                <span className="ellipsis isolate">{opened.view.label}</span>
                {opened.isModified && <span className={styles.modified}>modified</span>}
              </>
            )}
          </ActionButton>
        </Popover.Target>
        <Popover.Dropdown className={styles.dropdown} aria-label="Saved views" onKeyDown={moveFocus}>
          {opened?.isModified === true && (
            <ModifiedNotice
              project={project}
              search={search}
              view={opened.view}
              canSave={canSave}
              onDone={() => setOpen(false)}
              onDiscard={() => open(opened.view)}
            />
          )}
          {views.isError && <ErrorNotice error={views.error} retry={() => void views.refetch()} />}
          {views.data !== undefined && (
            <ViewList
              views={views.data}
              current={opened?.view.object_id}
              onOpen={open}
              onRename={(view) => closeAnd(() => setNaming({ view }))()}
              onDelete={(view) => closeAnd(() => setDeleting(view))()}
            />
          )}
          <div className={styles.footer}>
            <ActionButton
              variant="subtle"
              icon="plus"
              disabled={!canSave}
              onClick={closeAnd(() => setNaming({ search }))}
            >
              {opened === undefined ? 'Save view…' : 'Save as new…'}
            </ActionButton>
            {!canSave && <span className="hint">Fix the filter to save the view.</span>}
          </div>
        </Popover.Dropdown>
      </Popover>
      <NameViewDialog
        project={project}
        views={views.data ?? []}
        subject={naming}
        onClose={() => setNaming(undefined)}
        onSaved={(object_id) => {
          if (naming !== undefined && 'search' in naming) onNavigate({ ...search, saved: object_id }, true)
          setNaming(undefined)
        }}
      />
      <DeleteDialog
        project={project}
        className={SAVED_VIEW_CLASS}
        noun="view"
        hint="Calls are not affected."
        subject={deleting}
        onClose={() => setDeleting(undefined)}
        onDeleted={(object_id) => {
          setDeleting(undefined)
          if (search.saved !== object_id) return
          const { saved: _, ...rest } = search
          onNavigate(rest, true)
        }}
      />
    </>
  )
}

interface ModifiedNoticeProps {
  readonly project: Project
  readonly search: Search<'traces'>
  readonly view: SavedView
  readonly canSave: boolean
  readonly onDone: () => void
  readonly onDiscard: () => void
}

/** Notice that the list differs from the saved view, with actions to save or discard the changes. */
function ModifiedNotice({ project, search, view, canSave, onDone, onDiscard }: ModifiedNoticeProps) {
  const save = useSaveView(project)
  return (
    <div className={styles.modifiedNotice}>
      <p>
        “<span className="isolate">{view.label}</span>” has unsaved changes.
      </p>
      {save.isError && <ErrorNotice error={save.error} />}
      <div className="row gap-6">
        <Button
          disabled={!canSave}
          loading={save.isPending}
          onClick={() => save.mutate({ label: view.label, previous: view, search }, { onSuccess: onDone })}
        >
          Save changes
        </Button>
        <Button variant="default" onClick={onDiscard}>
          Discard changes
        </Button>
      </div>
    </div>
  )
}

interface ListProps {
  readonly views: readonly SavedView[]
  readonly current: string | undefined
  /** `undefined` opens the list without a view. */
  readonly onOpen: (view: SavedView | undefined) => void
  readonly onRename: (view: SavedView) => void
  readonly onDelete: (view: SavedView) => void
}

function ViewList({ views, current, onOpen, onRename, onDelete }: ListProps) {
  const [text, setText] = useState('')
  const query = text.trim().toLowerCase()
  const found = views.filter(({ label }) => label.toLowerCase().includes(query))
  if (views.length === 0) {
    return (
      <p className={styles.empty}>
        No saved views yet. Save the current filter, time range and columns under a name, for everyone in the
        project.
      </p>
    )
  }
  return (
    <div>
      {views.length > MAX_UNSEARCHED_VIEWS && (
        <TextInput
          data-autofocus
          className={styles.search}
          aria-label="Find a view"
          placeholder="Find a view"
          leftSection={<Icon name="search" size={13} />}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && found[0] !== undefined) onOpen(found[0])
          }}
        />
      )}
      <ul className={styles.list} aria-label="Saved views">
        {query === '' && (
          <li className={styles.row}>
            <button type="button" className={styles.view} data-view onClick={() => onOpen(undefined)}>
              All traces
            </button>
          </li>
        )}
        {found.map((view) => (
          <li key={view.object_id} className={styles.row}>
            <button
              type="button"
              className={`${styles.view} isolate`}
              data-view
              aria-current={view.object_id === current ? 'true' : undefined}
              onClick={() => onOpen(view)}
            >
              {view.label}
            </button>
            <span className={styles.tools}>
              <IconButton
                icon="edit"
                label={`Rename ${view.label}`}
                size={24}
                onClick={() => onRename(view)}
              />
              <IconButton
                icon="trash"
                label={`Delete ${view.label}`}
                size={24}
                onClick={() => onDelete(view)}
              />
            </span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className={styles.empty}>No matching views.</p>}
    </div>
  )
}

/** Up and down move between views and skip their action buttons. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  event.preventDefault()
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-view]')]
  const at = buttons.findIndex((button) => button.parentElement?.contains(document.activeElement) === true)
  const next = at === -1 ? (step === 1 ? 0 : buttons.length - 1) : at + step
  buttons[Math.max(0, Math.min(buttons.length - 1, next))]?.focus()
}
