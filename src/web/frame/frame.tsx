import { Outlet } from '@tanstack/react-router'
import { CommandPalette } from './command-palette.tsx'
import styles from './frame.module.css'
import { Sidebar } from './sidebar.tsx'

/** Around every page of a project. */
export function Frame() {
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#page">
        Skip to the page
      </a>
      <Sidebar />
      <main id="page" className={styles.page} tabIndex={-1}>
        <Outlet />
      </main>
      <CommandPalette />
    </div>
  )
}
