import { Outlet } from '@tanstack/react-router'
import { CommandPalette } from './command-palette.tsx'
import styles from './project-layout.module.css'
import { Sidebar } from './sidebar.tsx'

/** The layout of all project pages: sidebar, content and command palette. */
export function ProjectLayout() {
  return (
    <div className={styles.layout}>
      <a className={styles.skip} href="#page">
        Skip to content
      </a>
      <Sidebar />
      <main id="page" className={styles.page} tabIndex={-1}>
        <Outlet />
      </main>
      <CommandPalette />
    </div>
  )
}
