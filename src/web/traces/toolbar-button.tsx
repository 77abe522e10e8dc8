import { ActionIcon, Tooltip } from '@mantine/core'
import type { ComponentPropsWithRef } from 'react'
import { Icon, type IconName } from '../ui/icon.tsx'

interface Props extends Omit<ComponentPropsWithRef<'button'>, 'color' | 'disabled' | 'style'> {
  readonly icon: IconName
  readonly label: string
  /** What the button does, or why it is disabled. */
  readonly tooltip: string
  /** A disabled button stays focusable, so that its tooltip can be read. */
  readonly isDisabled?: boolean
  /** Pressed state of a toggle button. */
  readonly isOn?: boolean
  readonly iconClass?: string | undefined
}

/** An icon button of the list toolbar. */
export function ToolbarButton({
  icon,
  label,
  tooltip,
  isDisabled = false,
  isOn,
  iconClass,
  ...others
}: Props) {
  return (
    <Tooltip label={tooltip} events={{ hover: true, focus: isDisabled, touch: isDisabled }}>
      <ActionIcon
        {...others}
        variant={isOn === true ? 'light' : 'default'}
        color="accent"
        size={32}
        aria-label={label}
        {...(isOn === undefined ? {} : { 'aria-pressed': isOn })}
        {...(isDisabled
          ? { 'aria-disabled': true, 'aria-description': tooltip, 'data-disabled': true, onClick: undefined }
          : {})}
      >
        <span className={iconClass}>
          <Icon name={icon} />
        </span>
      </ActionIcon>
    </Tooltip>
  )
}
