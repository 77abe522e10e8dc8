import { Button, type ButtonProps } from '@mantine/core'
import type { ComponentPropsWithRef } from 'react'
import { Icon, type IconName } from './icon.tsx'

interface Props extends ButtonProps, Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps> {
  readonly icon: IconName
}

/** A button with an icon before its text. */
export function ActionButton({ icon, ...others }: Props) {
  const size = others.size === 'compact-xs' ? 12 : 14
  return <Button {...others} leftSection={<Icon name={icon} size={size} />} />
}
