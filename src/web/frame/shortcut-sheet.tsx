import { Modal } from '@mantine/core'
import { useState } from 'react'
import { KeyCaps } from '../shortcuts/key-caps.tsx'
import { type ShortcutGroup, useShortcutGroups, useShortcuts } from '../shortcuts/shortcuts.ts'
import { openSheet } from './sheet-opener.ts'
import styles from './shortcut-sheet.module.css'

/** Several parts of a page may add to one group; what is shown last comes first. */
function merged(groups: readonly ShortcutGroup[]): readonly ShortcutGroup[] {
  const byTitle = new Map<string, ShortcutGroup>()
  for (const { title, shortcuts } of groups.toReversed()) {
    byTitle.set(title, { title, shortcuts: [...(byTitle.get(title)?.shortcuts ?? []), ...shortcuts] })
  }
  return [...byTitle.values()]
}

/** Every key that does something on this page, by `?`. */
export function ShortcutSheet() {
  const [isOpen, setOpen] = useState(false)
  openSheet.open = () => setOpen(true)
  useShortcuts('Everywhere', [{ keys: '?', label: 'Show these shortcuts', run: () => setOpen(true) }])
  const groups = useShortcutGroups()
  return (
    <Modal opened={isOpen} onClose={() => setOpen(false)} title="Keyboard shortcuts" size="lg">
      <div className={styles.groups}>
        {merged(groups).map((group) => (
          <section key={group.title}>
            <h3 className={styles.title}>{group.title}</h3>
            <dl className={styles.list}>
              {group.shortcuts.map((shortcut) => (
                <div key={shortcut.keys} className={styles.row}>
                  <dt>{shortcut.label}</dt>
                  <dd>
                    <KeyCaps keys={shortcut.keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  )
}
