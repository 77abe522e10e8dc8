import { Link } from '@tanstack/react-router'
import { projectParams, type Project } from '../api/project.ts'
import { visibleText } from '../ui/visible-text.ts'

/** Links to the page of the user, without opening the row. */
export function EndUserLink({ project, endUser }: { readonly project: Project; readonly endUser: string }) {
  return (
    <Link
      to="/$entity/$project/weave/users/$end_user"
      params={{ ...projectParams(project), end_user: endUser }}
      search={{}}
      preload={false}
      tabIndex={-1}
      className="isolate"
      onClick={(event) => event.stopPropagation()}
    >
      {visibleText(endUser)}
    </Link>
  )
}
