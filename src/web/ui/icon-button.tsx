import { ActionIcon, type ActionIconProps, Tooltip } from '@mantine/core'
import type { ComponentPropsWithRef } from 'react'
import { Icon, type IconName } from './icon.tsx'

interface Props extends ActionIconProps, Omit<ComponentPropsWithRef<'button'>, keyof ActionIconProps> {
  readonly icon: IconName
  /** Accessible name. */
  readonly label: string
  readonly tooltip?: string
  readonly size?: keyof typeof ICON_SIZES
}

/** Sizes of buttons, and of the icons in them. */
const ICON_SIZES = { 20: 11, 22: 12, 24: 14, 28: 14, 32: 16 }

/** A button that is an icon. */
export function IconButton({ icon, label, tooltip, size = 28, ...others }: Props) {
  const button = (
    <ActionIcon {...others} size={size} aria-label={label}>
      <Icon name={icon} size={ICON_SIZES[size]} />
    </ActionIcon>
  )
  return tooltip === undefined ? button : <Tooltip label={tooltip}>{button}</Tooltip>
}
