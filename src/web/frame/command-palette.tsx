import { useMantineColorScheme } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useMemo, useState } from 'react'
import { useProject } from '../api/project.ts'
import { useProjects } from '../api/projects.ts'
import { DASHBOARD_CLASS } from '../named-objects/classes.ts'
import { useNamedObjects } from '../named-objects/use-named-objects.ts'
import { useObjectNames } from '../objects/use-objects.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { BareDialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { useSavedViews } from '../traces/saved-views/use-saved-views.ts'
import { type Command, commandsFor } from './commands.ts'
import styles from './command-palette.module.css'
import { PALETTE_KEYS, paletteOpener } from './palette-opener.ts'

/** The command palette: pages, views, projects, objects and actions, found by typing a part of their name. */
export function CommandPalette() {
  const [isOpen, setOpen] = useState(false)
  paletteOpener.open = () => setOpen(true)
  useShortcuts('Global', [
    { keys: PALETTE_KEYS, label: 'Open command palette', run: () => setOpen(true), whileTyping: true },
  ])
  return (
    <BareDialog label="Command palette" isOpen={isOpen} onClose={() => setOpen(false)}>
      <Palette close={() => setOpen(false)} />
    </BareDialog>
  )
}

function Palette({ close }: { readonly close: () => void }) {
  const [text, setText] = useState('')
  const [selectedIndex, setSelectedIndex] = useState(0)
  const listId = useId()
  const currentProject = useProject()
  const projects = useProjects()
  const views = useSavedViews(currentProject, currentProject.project !== '')
  const dashboards = useNamedObjects(currentProject, DASHBOARD_CLASS, currentProject.project !== '')
  const objects = useObjectNames(currentProject, currentProject.project !== '')
  const navigate = useNavigate()
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const commands = useMemo(
    () =>
      commandsFor({
        text,
        currentProject,
        projects: projects.data?.projects ?? [],
        views: views.data ?? [],
        dashboards: dashboards.data ?? [],
        objects: objects.data ?? [],
        navigate,
        setColorScheme,
      }),
    [
      text,
      currentProject.project_id,
      projects.data,
      views.data,
      dashboards.data,
      objects.data,
      navigate,
      setColorScheme,
    ],
  )
  const selected = Math.min(selectedIndex, commands.length - 1)
  const run = (command: Command | undefined): void => {
    if (command === undefined) return
    close()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) setSelectedIndex((selected + step + commands.length) % Math.max(1, commands.length))
    else if (event.key === 'Enter') run(commands[selected])
    else return
    event.preventDefault()
  }
  return (
    <>
      <div className={styles.field}>
        <Icon name="search" />
        <input
          data-autofocus
          className={styles.input}
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={selected >= 0 ? `${listId}-${selected}` : undefined}
          aria-label="Go to a page, project, object or call"
          placeholder="Search pages, objects, projects, call ids or text"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setSelectedIndex(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={listId} role="listbox" aria-label="Results" className={styles.list}>
        {commands.map((command, i) => (
          <div
            key={command.id}
            id={`${listId}-${i}`}
            role="option"
            aria-selected={i === selected}
            className={styles.option}
            onMouseMove={() => setSelectedIndex(i)}
            onClick={() => run(command)}
          >
            <Icon name={command.icon} />
            <span className="ellipsis grow isolate">{visibleText(command.label)}</span>
            <span className="hint">{command.kind}</span>
          </div>
        ))}
      </div>
    </>
  )
}
