import { Modal, useMantineColorScheme } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useId, useMemo, useState } from 'react'
import { useProject } from '../api/project.ts'
import { useProjects } from '../api/projects.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { Icon } from '../ui/icon.tsx'
import { useSavedViews } from '../traces/saved-views-list.ts'
import { type Command, commandsFor } from './commands.ts'
import styles from './command-palette.module.css'
import { PALETTE_KEYS, paletteOpener } from './palette-opener.ts'

/** Everything that can be gone to or done, by typing a part of its name. */
export function CommandPalette() {
  const [isOpen, setOpen] = useState(false)
  paletteOpener.open = () => setOpen(true)
  useShortcuts('Everywhere', [
    { keys: PALETTE_KEYS, label: 'Go anywhere', run: () => setOpen(true), whileTyping: true },
  ])
  return (
    <Modal.Root
      opened={isOpen}
      onClose={() => setOpen(false)}
      size={560}
      yOffset="12vh"
      classNames={{ content: styles.content ?? '' }}
      // See theme/mantine.ts; a modal in parts takes no defaults from there.
      lockScroll={false}
    >
      <Modal.Overlay backgroundOpacity={0.35} />
      <Modal.Content aria-label="Go anywhere">
        <Modal.Body className={styles.body}>{isOpen && <Palette close={() => setOpen(false)} />}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

function Palette({ close }: { readonly close: () => void }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const listId = useId()
  const here = useProject()
  const projects = useProjects()
  const views = useSavedViews(here, here.project !== '')
  const navigate = useNavigate()
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const commands = useMemo(
    () =>
      commandsFor({
        text,
        here,
        projects: projects.data?.projects ?? [],
        views: views.data ?? [],
        navigate,
        setColorScheme,
      }),
    [text, here.project_id, projects.data, views.data, navigate, setColorScheme],
  )
  const chosen = Math.min(at, commands.length - 1)
  const run = (command: Command | undefined): void => {
    if (command === undefined) return
    close()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) setAt((chosen + step + commands.length) % Math.max(1, commands.length))
    else if (event.key === 'Enter') run(commands[chosen])
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
          aria-activedescendant={chosen >= 0 ? `${listId}-${chosen}` : undefined}
          aria-label="Go to a page, a project or a call"
          placeholder="A page, a project, the id of a call, a text to search for"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setAt(0)
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
            aria-selected={i === chosen}
            className={styles.option}
            onMouseMove={() => setAt(i)}
            onClick={() => run(command)}
          >
            <Icon name={command.icon} />
            <span className={styles.label}>{command.label}</span>
            <span className={styles.kind}>{command.kind}</span>
          </div>
        ))}
      </div>
    </>
  )
}
