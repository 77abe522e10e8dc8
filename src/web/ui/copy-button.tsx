import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { copyText } from './clipboard.ts'
import { Icon } from './icon.tsx'

interface Props {
  /** What is copied; a function where it has to be fetched or made first. */
  readonly text: string | (() => string | Promise<string>)
  readonly label: string
  /** Shows the label beside the icon. */
  readonly isWide?: boolean
}

export function CopyButton({ text, label, isWide = false }: Props) {
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
  const said = state === 'done' ? 'Copied' : state === 'failed' ? 'The browser refused' : label
  if (isWide) {
    return (
      <Button variant="default" leftSection={icon} onClick={() => void copy()}>
        {said}
      </Button>
    )
  }
  return (
    <Tooltip label={said}>
      <ActionIcon size={24} aria-label={label} onClick={() => void copy()}>
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}
