import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './tab-view.module.css'

interface Props {
  readonly label: string
  readonly tabs: readonly { readonly value: string; readonly label: string }[]
  readonly value: string
  readonly onChange: (value: string) => void
  readonly panelClassName: string | undefined
  /** Makes the panel focusable, for panels that scroll. */
  readonly isPanelFocusable: boolean
  /** The content of the selected tab. */
  readonly children: ReactNode
}

/** Tabs and the panel of the selected one. Arrow keys move between tabs. */
export function TabView(props: Props) {
  const { value } = props
  return (
    <Tabs
      unstyled
      keepMounted={false}
      className={styles.root ?? ''}
      value={value}
      onChange={(next) => props.onChange(next ?? value)}
    >
      <Tabs.List className={styles.list ?? ''} aria-label={props.label}>
        {props.tabs.map((tab) => (
          <Tabs.Tab key={tab.value} className={styles.tab ?? ''} value={tab.value}>
            {tab.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel
        className={props.panelClassName ?? ''}
        value={value}
        tabIndex={props.isPanelFocusable ? 0 : -1}
      >
        {props.children}
      </Tabs.Panel>
    </Tabs>
  )
}
