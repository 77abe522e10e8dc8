import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { UserMenu } from './user-menu.tsx'
import { Logo } from '../ui/logo.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import styles from './standalone-page.module.css'

interface Props {
  readonly title: string
  /** Whether this is the list of projects, to which the logo of the other pages links. */
  readonly isHome?: boolean
  readonly children: ReactNode
}

/** A page that belongs to no project. */
export function StandalonePage({ isHome = false, ...props }: Props) {
  useDocumentTitle(props.title)
  return (
    <main className={styles.page} data-home={isHome || undefined}>
      <header className="row gap-12">
        {isHome ? (
          <Logo size={26} />
        ) : (
          <Link to="/projects" className="row" aria-label="Heddle: all projects">
            <Logo size={26} />
          </Link>
        )}
        <h1 className={styles.title}>{props.title}</h1>
        <span className="grow" />
        <UserMenu />
      </header>
      {props.children}
    </main>
  )
}
