import { Textarea, TextInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { fieldHint, readWritten, valueText } from './score-field.ts'
import type { ScoreSpec } from './use-specs.ts'

interface Props {
  readonly spec: ScoreSpec
  readonly value: string | undefined
  readonly onScore: (value: string | undefined) => void
}

/** A score that is written: stored on Enter, or when the field is left. Escape forgets what was written. */
export function WrittenScore({ spec, value, onScore }: Props) {
  const { field } = spec
  const stored = value === undefined ? '' : field.kind === 'text' ? valueText(field, value) : value
  const [text, setText] = useState(stored)
  const [reason, setReason] = useState<string>()
  const store = (): void => {
    if (text.trim() === stored) return
    if (text.trim() === '') {
      onScore(undefined)
      return
    }
    const read = readWritten(field, text)
    if ('reason' in read) setReason(read.reason)
    else onScore(read.value)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === 'Escape') {
      setText(stored)
      setReason(undefined)
    } else if (event.key !== 'Enter' || (field.kind === 'text' && event.shiftKey)) return
    else store()
    event.preventDefault()
    // Single keys mean something again.
    event.currentTarget.blur()
  }
  const shared = {
    'aria-label': spec.name,
    placeholder: fieldHint(field),
    value: text,
    error: reason,
    onBlur: store,
    onKeyDown,
  }
  const change = (next: string): void => {
    setText(next)
    setReason(undefined)
  }
  if (field.kind !== 'number') {
    return (
      <Textarea
        {...shared}
        autosize
        minRows={1}
        maxRows={6}
        size="xs"
        onChange={(event) => change(event.target.value)}
      />
    )
  }
  return <TextInput {...shared} inputMode="decimal" onChange={(event) => change(event.target.value)} />
}
