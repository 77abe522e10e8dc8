import { Menu, useMantineColorScheme } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { signOut, useSession } from '../api/session.ts'
import { MenuAction } from '../ui/action-menu.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { shortcutSheetOpener } from './shortcut-sheet-opener.ts'
import styles from './user-menu.module.css'

const SCHEMES: readonly { value: 'light' | 'dark' | 'auto'; label: string; icon: IconName }[] = [
  { value: 'light', label: 'Light', icon: 'sun' },
  { value: 'dark', label: 'Dark', icon: 'moon' },
  { value: 'auto', label: 'System', icon: 'screen' },
]

/** The account menu: theme, settings of the account and the server, shortcuts and sign-out. */
export function UserMenu() {
  const session = useSession()
  const navigate = useNavigate()
  // Without `keepTransitions` Mantine injects a style element, which the server's Content-Security-Policy forbids.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true })
  const name = session?.username ?? '…'
  const handleSignOut = async (): Promise<void> => {
    await signOut().catch(() => undefined)
    await navigate({ to: '/sign-in', search: {} })
  }
  return (
    <Menu position="top-start" width={220}>
      <Menu.Target>
        <button type="button" className={styles.user}>
          <span className="visually-hidden">Account: {name}</span>
          <span className={styles.avatar} aria-hidden="true">
            {name.slice(0, 1).toUpperCase()}
          </span>
          <span className={styles.name} aria-hidden="true">
            {name}
          </span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Theme</Menu.Label>
        {SCHEMES.map(({ value, label, icon }) => (
          <MenuAction
            key={value}
            icon={icon}
            rightSection={colorScheme === value ? <Icon name="check" size={14} /> : null}
            onClick={() => setColorScheme(value)}
          >
            {label}
          </MenuAction>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="lock" size={14} />} component={Link} to="/account">
          Account
        </Menu.Item>
        {session?.is_server_admin === true && (
          <Menu.Item leftSection={<Icon name="settings" size={14} />} component={Link} to="/server">
            Server settings
          </Menu.Item>
        )}
        <MenuAction icon="keyboard" onClick={() => shortcutSheetOpener.open()}>
          Keyboard shortcuts
        </MenuAction>
        <MenuAction icon="signOut" onClick={() => void handleSignOut()}>
          Sign out
        </MenuAction>
      </Menu.Dropdown>
    </Menu>
  )
}
