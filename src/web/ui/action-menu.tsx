import { Menu, type MenuItemProps } from '@mantine/core'
import type { ComponentProps, ComponentPropsWithRef, ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { IconButton } from './icon-button.tsx'

interface MenuProps extends Omit<ComponentProps<typeof IconButton>, 'icon'> {
  readonly icon?: IconName
  readonly children: ReactNode
}

/** A button that opens a menu of actions. The properties are those of the button. */
export function ActionMenu({ icon = 'more', children, ...button }: MenuProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton {...button} icon={icon} />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}

interface ActionProps extends MenuItemProps, Omit<ComponentPropsWithRef<'button'>, keyof MenuItemProps> {
  readonly icon: IconName
}

/** An action of a menu, with an icon before its text. */
export function MenuAction({ icon, ...others }: ActionProps) {
  return <Menu.Item {...others} leftSection={<Icon name={icon} size={14} />} />
}
