import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import type { Project } from '../api/project.ts'
import { useProjects } from '../api/projects.ts'
import { EmptyState } from '../ui/empty-state.tsx'

const POLL_INTERVAL_MS = 2000

/** The pages of a project; while it is deleted, and then, a notice instead: requests for it are refused. */
export function DeletedProjectNotice({
  project,
  children,
}: {
  readonly project: Project
  readonly children: ReactNode
}) {
  const { data, refetch } = useProjects()
  const listed = data?.projects.find(({ project_id }) => project_id === project.project_id)
  const isDeleting = listed?.is_deleting === true
  const [deleting, setDeleting] = useState<string>()
  useEffect(() => {
    if (!isDeleting) return undefined
    setDeleting(project.project_id)
    const timer = setInterval(() => void refetch(), POLL_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [isDeleting, project.project_id, refetch])
  if (isDeleting) {
    return (
      <EmptyState icon="trash" title="Project deletion" actions={<AllProjects />}>
        {project.project_id} is being deleted. Requests for it are refused until that is done, in about a
        minute.
      </EmptyState>
    )
  }
  if (deleting === project.project_id && data !== undefined && listed === undefined) {
    return (
      <EmptyState icon="check" title="Project deletion" actions={<AllProjects />}>
        {project.project_id} is deleted.
      </EmptyState>
    )
  }
  return children
}

function AllProjects() {
  return <Link to="/projects">All projects</Link>
}
