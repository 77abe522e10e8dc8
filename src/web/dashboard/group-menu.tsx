import { Button, Popover, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ActionButton } from '../ui/action-button.tsx'
import styles from './group-menu.module.css'

const PRESETS = [
  { by: undefined, label: 'None' },
  { by: 'model', label: 'Model' },
  { by: 'op', label: 'Op' },
  { by: 'status', label: 'Status' },
  { by: 'provider', label: 'Provider' },
  { by: 'environment', label: 'Environment' },
  { by: 'end_user', label: 'End user' },
  { by: 'user', label: 'Weave user' },
  { by: 'session', label: 'Session' },
  { by: 'tags', label: 'Tags' },
  { by: 'error_type', label: 'Error type' },
] as const

interface Props {
  readonly by: string | undefined
  readonly onChange: (by: string | undefined) => void
}

/** Menu for the grouping of the charts: presets, or any call field. */
export function GroupMenu({ by, onChange }: Props) {
  const [isOpen, setOpen] = useState(false)
  const preset = PRESETS.find((each) => each.by === by)
  const [path, setPath] = useState(preset === undefined ? (by ?? '') : '')
  const choose = (next: string | undefined): void => {
    setOpen(false)
    onChange(next)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (path.trim() !== '') choose(path.trim())
  }
  const label = by === undefined ? 'Group by' : `By ${preset?.label.toLowerCase() ?? by}`
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <ActionButton
          variant="default"
          size="sm"
          className="tool-button"
          icon="objects"
          aria-label={`Group by: ${preset?.label ?? by}`}
          onClick={() => setOpen(!isOpen)}
        >
          {label}
        </ActionButton>
      </Popover.Target>
      <Popover.Dropdown className={styles.dropdown}>
        {PRESETS.map((each) => (
          <button
            key={each.label}
            type="button"
            className="choice"
            aria-pressed={each.by === by}
            onClick={() => choose(each.by)}
          >
            {each.label}
          </button>
        ))}
        <form className={styles.custom} onSubmit={submit}>
          <TextInput
            label="Any call field"
            placeholder="attributes.env"
            spellCheck={false}
            value={path}
            onChange={(event) => setPath(event.target.value)}
          />
          <Button type="submit" variant="default" disabled={path.trim() === ''}>
            Group
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
