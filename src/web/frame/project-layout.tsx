import { Outlet } from '@tanstack/react-router'
import { useProject } from '../api/project.ts'
import { CommandPalette } from './command-palette.tsx'
import { DeletedProjectNotice } from './deleted-project.tsx'
import styles from './project-layout.module.css'
import { Sidebar } from './sidebar.tsx'

/** The layout of all project pages: sidebar, content and command palette. */
export function ProjectLayout() {
  const project = useProject()
  return (
    <div className={styles.layout}>
      <a className={styles.skip} href="#page">
        Skip to content
      </a>
      <Sidebar />
      <main id="page" className={styles.page} tabIndex={-1}>
        <DeletedProjectNotice project={project}>
          <Outlet />
        </DeletedProjectNotice>
      </main>
      <CommandPalette />
    </div>
  )
}
