import { Textarea, TextInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { fieldHint, parseScoreInput, valueText } from './score-field.ts'
import type { ScoreSpec } from './use-specs.ts'

interface Props {
  readonly spec: ScoreSpec
  readonly value: string | undefined
  readonly onScore: (value: string | undefined) => void
}

/** The input of a typed score. Enter and blur save; Escape restores the saved value. */
export function ScoreInput({ spec, value, onScore }: Props) {
  const { field } = spec
  const savedText = value === undefined ? '' : field.kind === 'text' ? valueText(field, value) : value
  const [text, setText] = useState(savedText)
  const [reason, setReason] = useState<string>()
  const save = (): void => {
    if (text.trim() === savedText) return
    if (text.trim() === '') {
      onScore(undefined)
      return
    }
    const parsed = parseScoreInput(field, text)
    if ('reason' in parsed) setReason(parsed.reason)
    else onScore(parsed.value)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === 'Escape') {
      setText(savedText)
      setReason(undefined)
    } else if (event.key !== 'Enter' || (field.kind === 'text' && event.shiftKey)) return
    else save()
    event.preventDefault()
    // Leaving the field re-enables the single-key shortcuts.
    event.currentTarget.blur()
  }
  const inputProps = {
    'aria-label': spec.name,
    placeholder: fieldHint(field),
    value: text,
    error: reason,
    onBlur: save,
    onKeyDown,
  }
  const change = (next: string): void => {
    setText(next)
    setReason(undefined)
  }
  if (field.kind !== 'number') {
    return (
      <Textarea
        {...inputProps}
        autosize
        minRows={1}
        maxRows={6}
        size="xs"
        onChange={(event) => change(event.target.value)}
      />
    )
  }
  return <TextInput {...inputProps} inputMode="decimal" onChange={(event) => change(event.target.value)} />
}
