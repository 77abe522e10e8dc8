import { Menu } from '@mantine/core'
import { Icon } from '../icon.tsx'
import styles from './data-grid.module.css'

interface Props {
  readonly labelId: string
  readonly tabIndex: number
  /** An action is undefined if it is not possible now. */
  readonly actions: Readonly<Record<string, (() => void) | undefined>>
}

/** The menu of a column, with everything that the mouse can do. */
export function ColumnMenu({ labelId, tabIndex, actions }: Props) {
  return (
    <Menu position="bottom-end" width={160} closeOnItemClick={false}>
      <Menu.Target>
        <button
          type="button"
          className={styles.options}
          tabIndex={tabIndex}
          aria-label="Column options"
          aria-describedby={labelId}
        >
          <Icon name="more" size={12} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(actions).map(([label, run]) => (
          <Menu.Item key={label} disabled={run === undefined} onClick={run}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
