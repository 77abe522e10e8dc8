import { useState } from 'react'
import { KeyCaps } from '../shortcuts/key-caps.tsx'
import { type ShortcutGroup, useShortcutGroups, useShortcuts } from '../shortcuts/shortcuts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { shortcutSheetOpener } from './shortcut-sheet-opener.ts'
import styles from './shortcut-sheet.module.css'

/** Merges groups of the same title, because several components can add to one. The most recently mounted come first. */
function mergeGroups(groups: readonly ShortcutGroup[]): readonly ShortcutGroup[] {
  const byTitle = new Map<string, ShortcutGroup>()
  for (const { title, shortcuts } of groups.toReversed()) {
    byTitle.set(title, { title, shortcuts: [...(byTitle.get(title)?.shortcuts ?? []), ...shortcuts] })
  }
  return [...byTitle.values()]
}

/** The dialog that lists all keyboard shortcuts of the current page. `?` opens it. */
export function ShortcutSheet() {
  const [isOpen, setOpen] = useState(false)
  shortcutSheetOpener.open = () => setOpen(true)
  useShortcuts('Global', [{ keys: '?', label: 'Show keyboard shortcuts', run: () => setOpen(true) }])
  const groups = useShortcutGroups()
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={() => setOpen(false)} size="lg">
      <div className={styles.groups}>
        {mergeGroups(groups).map((group) => (
          <section key={group.title}>
            <h3 className={styles.title}>{group.title}</h3>
            <dl>
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
    </Dialog>
  )
}
