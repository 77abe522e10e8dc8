import {
  ActionIcon,
  type ActionIconProps,
  Button,
  type ButtonProps,
  Menu,
  type MenuItemProps,
} from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

/** Elements that look like a button and are a link to a page, with the typed properties of the router's `Link`. */
export const LinkButton = createLink((props: Anchor<ButtonProps>) => <Button component="a" {...props} />)

export const LinkIcon = createLink((props: Anchor<ActionIconProps>) => (
  <ActionIcon component="a" {...props} />
))

export const LinkMenuItem = createLink((props: Anchor<MenuItemProps>) => (
  <Menu.Item component="a" {...props} />
))

type Anchor<Props> = Props & Omit<ComponentProps<'a'>, keyof Props>
