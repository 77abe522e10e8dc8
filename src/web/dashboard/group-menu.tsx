import { Button, Popover, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import styles from './group-menu.module.css'

const USUAL = [
  { by: undefined, label: 'Nothing' },
  { by: 'model', label: 'Model' },
  { by: 'op', label: 'Op' },
  { by: 'user', label: 'User' },
  { by: 'status', label: 'Status' },
] as const

interface Props {
  readonly by: string | undefined
  readonly onBy: (by: string | undefined) => void
}

/** What calls are told apart by: the usual ones, or any field that calls have. */
export function GroupMenu({ by, onBy }: Props) {
  const [isOpen, setOpen] = useState(false)
  const known = USUAL.find((each) => each.by === by)
  const [path, setPath] = useState(known === undefined ? (by ?? '') : '')
  const choose = (next: string | undefined): void => {
    setOpen(false)
    onBy(next)
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (path.trim() !== '') choose(path.trim())
  }
  const label = by === undefined ? 'Group by' : `By ${known?.label.toLowerCase() ?? by}`
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          size="sm"
          className={styles.button}
          leftSection={<Icon name="objects" size={14} />}
          aria-label={`Group by: ${known?.label ?? by}`}
          onClick={() => setOpen(!isOpen)}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={styles.dropdown}>
        {USUAL.map((each) => (
          <button
            key={each.label}
            type="button"
            className={styles.choice}
            aria-pressed={each.by === by}
            onClick={() => choose(each.by)}
          >
            {each.label}
          </button>
        ))}
        <form className={styles.own} onSubmit={submit}>
          <TextInput
            label="Any field of calls"
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
