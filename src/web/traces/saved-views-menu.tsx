import { ActionIcon, Button, Popover, TextInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import type { Project } from '../api/project.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { Failure } from '../ui/failure.tsx'
import { Icon } from '../ui/icon.tsx'
import type { ListSearch } from './list-search.ts'
import { addressOf } from './saved-views-definition.ts'
import { DeleteView, NameView } from './saved-views-dialogs.tsx'
import { type SavedView, useSavedViews } from './saved-views-list.ts'
import styles from './saved-views-menu.module.css'
import type { OpenedView } from './saved-views-opened.ts'
import { useSaveView } from './saved-views-save.ts'

/** So many are seen at a glance; more are searched. */
const GLANCE = 7

interface Props {
  readonly project: Project
  readonly search: ListSearch
  readonly opened: OpenedView | undefined
  /** A filter that cannot be read cannot be saved. */
  readonly canSave: boolean
  /** Goes to another address, or corrects this one. */
  readonly onSearch: (search: ListSearch, isCorrection: boolean) => void
}

/** The saved views of the list: to open one, to save what is seen, to rename and delete. */
export function SavedViewsMenu({ project, search, opened, canSave, onSearch }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [named, setNamed] = useState<Parameters<typeof NameView>[0]['subject']>()
  const [doomed, setDoomed] = useState<SavedView>()
  const views = useSavedViews(project, isOpen || search.saved !== undefined)
  useShortcuts('List', [{ keys: 'v', label: 'Saved views', run: () => setOpen(true) }])
  const leave = (run: () => void) => (): void => {
    setOpen(false)
    run()
  }
  const open = (view: SavedView | undefined): void => {
    setOpen(false)
    onSearch(view === undefined ? {} : { ...addressOf(view).search, saved: view.object_id }, false)
  }
  return (
    <>
      <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={320} trapFocus returnFocus>
        <Popover.Target>
          <Button
            variant="default"
            className={styles.button}
            leftSection={<Icon name="bookmark" size={13} />}
            rightSection={<Icon name="chevronDown" size={12} />}
            onClick={() => setOpen(!isOpen)}
          >
            {opened === undefined ? (
              'Views'
            ) : (
              <>
                <span className="visually-hidden">View </span>
                <span className={`${styles.opened} foreign`}>{opened.view.label}</span>
                {opened.isChanged && <span className={styles.changed}>changed</span>}
              </>
            )}
          </Button>
        </Popover.Target>
        <Popover.Dropdown className={styles.dropdown} aria-label="Saved views" onKeyDown={moveFocus}>
          {opened?.isChanged === true && (
            <Changed
              project={project}
              search={search}
              view={opened.view}
              canSave={canSave}
              onDone={() => setOpen(false)}
              onBack={() => open(opened.view)}
            />
          )}
          {views.isError && <Failure error={views.error} retry={() => void views.refetch()} />}
          {views.data !== undefined && (
            <ViewList
              views={views.data}
              current={opened?.view.object_id}
              onOpen={open}
              onRename={(view) => leave(() => setNamed({ view }))()}
              onDelete={(view) => leave(() => setDoomed(view))()}
            />
          )}
          <div className={styles.foot}>
            <Button
              variant="subtle"
              leftSection={<Icon name="plus" size={13} />}
              disabled={!canSave}
              onClick={leave(() => setNamed({ search }))}
            >
              {opened === undefined ? 'Save this view…' : 'Save as new…'}
            </Button>
            {!canSave && <span className={styles.hint}>The filter cannot be read.</span>}
          </div>
        </Popover.Dropdown>
      </Popover>
      <NameView
        project={project}
        views={views.data ?? []}
        subject={named}
        onClose={() => setNamed(undefined)}
        onSaved={(object_id) => {
          if (named !== undefined && 'search' in named) onSearch({ ...search, saved: object_id }, true)
          setNamed(undefined)
        }}
      />
      <DeleteView
        project={project}
        view={doomed}
        onClose={() => setDoomed(undefined)}
        onDeleted={(object_id) => {
          setDoomed(undefined)
          if (search.saved !== object_id) return
          const { saved: _, ...rest } = search
          onSearch(rest, true)
        }}
      />
    </>
  )
}

interface ChangedProps {
  readonly project: Project
  readonly search: ListSearch
  readonly view: SavedView
  readonly canSave: boolean
  readonly onDone: () => void
  readonly onBack: () => void
}

/** What is seen is no longer what was saved. */
function Changed({ project, search, view, canSave, onDone, onBack }: ChangedProps) {
  const save = useSaveView(project)
  return (
    <div className={styles.difference}>
      <p>
        This is no longer what “<span className="foreign">{view.label}</span>” was saved as.
      </p>
      {save.isError && <Failure error={save.error} />}
      <div className={styles.choices}>
        <Button
          disabled={!canSave}
          loading={save.isPending}
          onClick={() => save.mutate({ label: view.label, before: view, search }, { onSuccess: onDone })}
        >
          Save changes
        </Button>
        <Button variant="default" onClick={onBack}>
          Back to the saved
        </Button>
      </div>
    </div>
  )
}

interface ListProps {
  readonly views: readonly SavedView[]
  readonly current: string | undefined
  /** Undefined: everything, without a view. */
  readonly onOpen: (view: SavedView | undefined) => void
  readonly onRename: (view: SavedView) => void
  readonly onDelete: (view: SavedView) => void
}

function ViewList({ views, current, onOpen, onRename, onDelete }: ListProps) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const found = views.filter(({ label }) => label.toLowerCase().includes(wanted))
  if (views.length === 0) {
    return (
      <p className={styles.empty}>
        No saved views yet. Filter, choose a time and columns, then save what you see under a name: one click
        brings everybody in the project back to it.
      </p>
    )
  }
  return (
    <div>
      {views.length > GLANCE && (
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
        {wanted === '' && (
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
              className={`${styles.view} foreign`}
              data-view
              aria-current={view.object_id === current ? 'true' : undefined}
              onClick={() => onOpen(view)}
            >
              {view.label}
            </button>
            <span className={styles.tools}>
              <ActionIcon size={24} aria-label={`Rename ${view.label}`} onClick={() => onRename(view)}>
                <Icon name="edit" size={13} />
              </ActionIcon>
              <ActionIcon size={24} aria-label={`Delete ${view.label}`} onClick={() => onDelete(view)}>
                <Icon name="trash" size={13} />
              </ActionIcon>
            </span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className={styles.empty}>No view has this in its name.</p>}
    </div>
  )
}

/** Up and down go from view to view, past what can be done with each. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  event.preventDefault()
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-view]')]
  const at = buttons.findIndex((button) => button.parentElement?.contains(document.activeElement) === true)
  const next = at === -1 ? (step === 1 ? 0 : buttons.length - 1) : at + step
  buttons[Math.max(0, Math.min(buttons.length - 1, next))]?.focus()
}
