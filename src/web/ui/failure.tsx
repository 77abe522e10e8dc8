import { Button } from '@mantine/core'
import { ApiError } from '../../client/browser/api-error.ts'
import { Icon } from './icon.tsx'
import styles from './notice.module.css'

/** What went wrong and what to do about it. Offers to try again where that may help. */
export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const { title, advice } = explain(error)
  return (
    <div className={styles.notice} role="alert">
      <span className={styles.badIcon}>
        <Icon name="warning" size={22} />
      </span>
      <h2>{title}</h2>
      <p className={styles.text}>{advice}</p>
      {retry !== undefined && (
        <Button variant="default" onClick={retry}>
          Try again
        </Button>
      )}
      {requestId(error) !== undefined && (
        <p className={styles.small}>
          The log of the server knows it as <code>{requestId(error)}</code>
        </p>
      )}
    </div>
  )
}

function explain(error: unknown): { readonly title: string; readonly advice: string } {
  if (!(error instanceof ApiError)) {
    return {
      title: 'This page has failed',
      advice: `${error instanceof Error ? error.message : String(error)}. Reload it; if that does not help, please report it.`,
    }
  }
  switch (error.code) {
    case 'forbidden':
      return {
        title: 'You may not see this',
        advice: `${sentence(error.message)} Ask an admin of the project to add you as a member.`,
      }
    case 'not_found':
      return { title: 'It is not there', advice: `${sentence(error.message)} It may have been deleted.` }
    case 'rate_limited':
      return { title: 'Too much at once', advice: sentence(error.message) }
    case 'timeout':
      return {
        title: 'It took too long',
        advice: 'Narrow it down: a shorter time range is what makes a question fast.',
      }
    case 'storage_full':
      return { title: 'The disk of the server is full', advice: sentence(error.message) }
    case 'unauthenticated':
      return { title: 'Please sign in again', advice: 'Your session has ended.' }
    default:
      return { title: 'The server could not do this', advice: sentence(error.message) }
  }
}

function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(whole) ? whole : `${whole}.`
}

function requestId(error: unknown): string | undefined {
  const id = error instanceof ApiError ? error.extra['request_id'] : undefined
  return typeof id === 'string' ? id : undefined
}
