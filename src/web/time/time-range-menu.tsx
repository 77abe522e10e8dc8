import { Button, Popover } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ActionButton } from '../ui/action-button.tsx'
import { PRESETS, printRange, rangeLabel, type TimeRange } from './range.ts'
import styles from './time-range-menu.module.css'

interface Props {
  readonly range: TimeRange
  /** Called with the range in URL format. */
  readonly onRange: (text: string) => void
}

export function TimeRangeMenu({ range, onRange }: Props) {
  const [isOpen, setOpen] = useState(false)
  const choose = (text: string): void => {
    setOpen(false)
    onRange(text)
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" trapFocus returnFocus>
      <Popover.Target>
        <ActionButton
          variant="default"
          size="sm"
          className="tool-button"
          icon="clock"
          aria-label={`Time range: ${rangeLabel(range)}`}
          onClick={() => setOpen(!isOpen)}
        >
          {rangeLabel(range)}
        </ActionButton>
      </Popover.Target>
      <Popover.Dropdown className={styles.dropdown}>
        <div className="stack">
          {PRESETS.map(({ text, label }) => (
            <button
              key={text}
              type="button"
              className="choice"
              aria-pressed={text === printRange(range)}
              onClick={() => choose(text)}
            >
              {label}
            </button>
          ))}
        </div>
        <CustomRange range={range} onRange={choose} />
      </Popover.Dropdown>
    </Popover>
  )
}

function CustomRange({ range, onRange }: Props) {
  const [from, setFrom] = useState(range.kind === 'between' ? toLocalInput(range.from) : '')
  const [to, setTo] = useState(range.kind === 'between' ? toLocalInput(range.to) : '')
  const isValid = from !== '' && to !== '' && Date.parse(from) < Date.parse(to)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isValid) onRange(`${new Date(from).toISOString()}..${new Date(to).toISOString()}`)
  }
  return (
    <form className={styles.customRange} onSubmit={submit}>
      <label>
        From
        <input
          type="datetime-local"
          step="1"
          className="native-input"
          value={from}
          onChange={(event) => setFrom(event.target.value)}
        />
      </label>
      <label>
        To
        <input
          type="datetime-local"
          step="1"
          className="native-input"
          value={to}
          onChange={(event) => setTo(event.target.value)}
        />
      </label>
      <Button type="submit" disabled={!isValid}>
        Apply
      </Button>
    </form>
  )
}

/** The format of `datetime-local` inputs: local time without an offset. */
function toLocalInput(iso: string): string {
  const date = new Date(iso)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}
