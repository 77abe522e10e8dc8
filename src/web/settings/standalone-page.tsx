import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { UserMenu } from '../frame/user-menu.tsx'
import { Logo } from '../ui/logo.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import styles from './standalone-page.module.css'

/** A page of settings that belong to no project. */
export function StandalonePage(props: { readonly title: string; readonly children: ReactNode }) {
  useDocumentTitle(props.title)
  return (
    <main className={styles.page}>
      <header className={styles.head}>
        <Link to="/projects" className={styles.home} aria-label="Heddle: all projects">
          <Logo size={26} />
        </Link>
        <h1 className={styles.title}>{props.title}</h1>
        <span className={styles.space} />
        <UserMenu />
      </header>
      {props.children}
    </main>
  )
}
