import { useLocation, useParams } from '@tanstack/react-router'
import { EmptyState } from '../ui/empty-state.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import { visibleText } from '../ui/visible-text.ts'
import { LinkButton } from '../ui/link-button.tsx'

/** The page for unknown URLs. */
export function NotFound() {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const { entity, project } = useParams({ strict: false })
  const isInProject = /^\/[^/]+\/[^/]+\/(?:weave|r)\//.test(path)
  useDocumentTitle('Page not found', '')
  return (
    <main>
      <EmptyState
        icon="link"
        title="Page not found"
        actions={
          <>
            {isInProject && entity !== undefined && project !== undefined && (
              <LinkButton to="/$entity/$project/weave/traces" params={{ entity, project }} search={{}}>
                Traces of {visibleText(`${entity}/${project}`)}
              </LinkButton>
            )}
            <LinkButton variant="default" to="/projects">
              All projects
            </LinkButton>
          </>
        }
      >
        There is no page at <code className="wrap">{visibleText(path)}</code>. The link may be incomplete, or
        from another version of Heddle.
      </EmptyState>
    </main>
  )
}
