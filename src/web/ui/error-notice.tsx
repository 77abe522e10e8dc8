import { Button } from '@mantine/core'
import { ApiError } from '../../client/browser/api-error.ts'
import { Icon } from './icon.tsx'
import styles from './notice.module.css'

/** An error with its cause and advice. Offers a retry if one is given. */
export function ErrorNotice({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const { title, advice } = explain(error)
  return (
    <div className={styles.notice} role="alert">
      <span className={styles.errorIcon}>
        <Icon name="warning" size={22} />
      </span>
      <h2>{title}</h2>
      <p className="soft wrap">{advice}</p>
      {retry !== undefined && (
        <Button variant="default" onClick={retry}>
          Try again
        </Button>
      )}
      {requestId(error) !== undefined && (
        <p className="hint">
          Request id: <code>{requestId(error)}</code>
        </p>
      )}
    </div>
  )
}

function explain(error: unknown): { readonly title: string; readonly advice: string } {
  if (!(error instanceof ApiError)) {
    return {
      title: 'Something went wrong',
      advice: `${sentence(error instanceof Error ? error.message : String(error))} Reload the page. If the error persists, please report it.`,
    }
  }
  switch (error.code) {
    case 'forbidden':
      return {
        title: 'Access denied',
        // It says whom to ask.
        advice: sentence(error.message),
      }
    case 'not_found':
      return { title: 'Not found', advice: `${sentence(error.message)} It may have been deleted.` }
    case 'rate_limited':
      return { title: 'Rate limit exceeded', advice: sentence(error.message) }
    case 'timeout':
      return {
        title: 'Request timed out',
        advice: 'Choose a shorter time range or a narrower filter.',
      }
    case 'storage_full':
      return { title: 'Server disk is full', advice: sentence(error.message) }
    case 'unauthenticated':
      return { title: 'Sign in again', advice: 'Your session has ended.' }
    default:
      return { title: 'Request failed', advice: sentence(error.message) }
  }
}

function sentence(text: string): string {
  if (text === '') return ''
  const whole = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(whole) ? whole : `${whole}.`
}

function requestId(error: unknown): string | undefined {
  const id = error instanceof ApiError ? error.extra['request_id'] : undefined
  return typeof id === 'string' ? id : undefined
}
