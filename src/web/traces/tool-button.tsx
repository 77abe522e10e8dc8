import { ActionIcon, Tooltip } from '@mantine/core'
import type { ComponentPropsWithRef } from 'react'
import { Icon, type IconName } from '../ui/icon.tsx'

interface Props extends Omit<ComponentPropsWithRef<'button'>, 'color' | 'disabled' | 'style'> {
  readonly icon: IconName
  readonly label: string
  /** What it does, or why it does nothing now. */
  readonly tip: string
  /** It stays in reach, so that people can ask why. */
  readonly isDisabled?: boolean
  /** Only for what can be on. */
  readonly isOn?: boolean
  readonly iconClass?: string | undefined
}

/** A button of the line above the list. */
export function ToolButton({ icon, label, tip, isDisabled = false, isOn, iconClass, ...others }: Props) {
  return (
    <Tooltip label={tip} events={{ hover: true, focus: isDisabled, touch: isDisabled }}>
      <ActionIcon
        {...others}
        variant={isOn === true ? 'light' : 'default'}
        color="woad"
        size={32}
        aria-label={label}
        {...(isOn === undefined ? {} : { 'aria-pressed': isOn })}
        {...(isDisabled
          ? { 'aria-disabled': true, 'aria-description': tip, 'data-disabled': true, onClick: undefined }
          : {})}
      >
        <span className={iconClass}>
          <Icon name={icon} />
        </span>
      </ActionIcon>
    </Tooltip>
  )
}
