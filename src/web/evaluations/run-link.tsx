import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { projectParams, useProject } from '../api/project.ts'
import gridStyles from '../ui/data-grid/data-grid.module.css'

interface Props {
  readonly id: string
  readonly title?: string | undefined
  readonly children: ReactNode
}

/** Link to the page of a run. */
export function RunLink({ id, title, children }: Props) {
  const project = useProject()
  return (
    <Link
      className={`${gridStyles.action} isolate`}
      to="/$entity/$project/weave/evaluations/$call_id"
      params={{ ...projectParams(project), call_id: id }}
      search={{}}
      title={title}
    >
      {children}
    </Link>
  )
}
