import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { copyText } from './clipboard.ts'
import { Icon } from './icon.tsx'

interface Props {
  /** The text to copy; a function if it must be loaded or generated first. */
  readonly text: string | (() => string | Promise<string>)
  readonly label: string
  /** Shows the label beside the icon. */
  readonly hasLabel?: boolean
}

/** A button that copies text and confirms it. */
export function CopyButton({ text, label, hasLabel = false }: Props) {
  const [state, setState] = useState<'idle' | 'done' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return undefined
    const timer = setTimeout(() => setState('idle'), 1500)
    return () => clearTimeout(timer)
  }, [state])
  const copy = async (): Promise<void> => {
    try {
      await copyText(typeof text === 'string' ? text : await text())
      setState('done')
    } catch {
      setState('failed')
    }
  }
  const icon = <Icon name={state === 'done' ? 'check' : 'copy'} size={14} />
  const tooltip = state === 'done' ? 'Copied' : state === 'failed' ? 'Copy failed' : label
  if (hasLabel) {
    return (
      <Button variant="default" leftSection={icon} onClick={() => void copy()}>
        {tooltip}
      </Button>
    )
  }
  return (
    <Tooltip label={tooltip}>
      <ActionIcon size={24} aria-label={label} onClick={() => void copy()}>
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}
