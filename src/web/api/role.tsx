import type { ReactNode } from 'react'
import { useProject } from './project.ts'
import { useProjects } from './projects.ts'

/** Whether the user may change something in the project of the page. True until it is known, as for most users. */
export function useCanWrite(): boolean {
  const { project_id } = useProject()
  const role = useProjects().data?.projects.find((each) => each.project_id === project_id)?.role
  return role !== 'read'
}

/** Controls that change something. They are not offered to users who may only read. */
export function WriteOnly({ children }: { readonly children: ReactNode }) {
  return useCanWrite() ? children : null
}
