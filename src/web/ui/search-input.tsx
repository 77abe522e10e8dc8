import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { Icon } from './icon.tsx'

const DELAY_MS = 300

interface Props {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
}

/** A text field that reports its text when typing pauses. */
export function SearchInput({ label, value, onChange }: Props) {
  const [text, setText] = useState(value)
  const report = useDebouncedCallback(onChange, DELAY_MS)
  // The text changed from outside, such as by the back button. What is being typed stays, and is reported next.
  useEffect(() => {
    if (!report.isPending()) setText((typed) => (typed.trim() === value ? typed : value))
  }, [value])
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      leftSection={<Icon name="search" size={14} />}
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        report(event.target.value.trim())
      }}
    />
  )
}
