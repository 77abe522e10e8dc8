import { Button } from '@mantine/core'
import { Link, useLocation, useParams } from '@tanstack/react-router'
import { EmptyState } from '../ui/empty-state.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import { visibleText } from '../ui/visible-text.ts'
import styles from './not-found.module.css'

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
              <Button
                className={styles.link}
                renderRoot={(props) => (
                  <Link
                    {...props}
                    to="/$entity/$project/weave/traces"
                    params={{ entity, project }}
                    search={{}}
                  />
                )}
              >
                Traces of {visibleText(`${entity}/${project}`)}
              </Button>
            )}
            <Button
              variant="default"
              className={styles.link}
              renderRoot={(props) => <Link {...props} to="/projects" />}
            >
              All projects
            </Button>
          </>
        }
      >
        There is no page at <code className={styles.path}>{visibleText(path)}</code>. The link may be
        incomplete, or from another version of Heddle.
      </EmptyState>
    </main>
  )
}
