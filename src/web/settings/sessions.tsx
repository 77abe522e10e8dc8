import { Button } from '@mantine/core'
import { api } from '../api/client.ts'
import { formatAgo, formatTime } from '../time/format.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { visibleText } from '../ui/visible-text.ts'
import styles from './settings-page.module.css'
import { type ApiKey, useKeys, useKeysChange } from './use-keys.ts'

/** The browsers in which the user is signed in. */
export function Sessions() {
  const keys = useKeys()
  const end = useKeysChange((key_id: string) => api.call('key_revoke', { key_id }))
  const endOthers = useKeysChange(() => api.call('sessions_end', {}))
  const sessions = keys.data?.keys.filter(({ kind }) => kind === 'session') ?? []
  return (
    <section className={styles.card} aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      <p className={styles.faint}>The browsers in which you are signed in. A session ends after 30 days.</p>
      {keys.isError ? (
        <ErrorNotice error={keys.error} retry={() => void keys.refetch()} />
      ) : (
        <table className={styles.table}>
          <caption className="visually-hidden">Sessions</caption>
          <thead>
            <tr>
              <th scope="col">Browser</th>
              <th scope="col">Signed in</th>
              <th scope="col">Last used</th>
              <th scope="col">
                <span className="visually-hidden">Sign out</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {sessions.map((session) => (
              <Row
                key={session.key_id}
                session={session}
                isBusy={end.isPending}
                onEnd={() => end.mutate(session.key_id)}
              />
            ))}
          </tbody>
        </table>
      )}
      {end.isError && <ErrorNotice error={end.error} />}
      {endOthers.isError && <ErrorNotice error={endOthers.error} />}
      {endOthers.isSuccess && (
        <p role="status">
          {endOthers.data.ended === 1 ? '1 session ended.' : `${endOthers.data.ended} sessions ended.`}
        </p>
      )}
      <div>
        <Button
          variant="default"
          disabled={sessions.length < 2}
          loading={endOthers.isPending}
          onClick={() => endOthers.mutate()}
        >
          Sign out all others
        </Button>
      </div>
    </section>
  )
}

interface RowProps {
  readonly session: ApiKey
  readonly isBusy: boolean
  readonly onEnd: () => void
}

function Row({ session, isBusy, onEnd }: RowProps) {
  const name = visibleText(session.name === '' ? 'Unknown browser' : session.name)
  return (
    <tr>
      <th scope="row">
        <span className="isolate">{name}</span>
        {session.is_current && <span className={styles.badge}>this browser</span>}
      </th>
      <td title={session.created_at}>{formatTime(session.created_at)}</td>
      <td className={styles.faint}>
        {session.is_current || session.last_used_at === null
          ? session.is_current
            ? 'Now'
            : 'Not used yet'
          : formatAgo(session.last_used_at, Date.now())}
      </td>
      <td>
        {!session.is_current && (
          <Button
            variant="subtle"
            size="compact-sm"
            disabled={isBusy}
            aria-label={`Sign out ${name}, signed in ${formatTime(session.created_at)}`}
            onClick={onEnd}
          >
            Sign out
          </Button>
        )}
      </td>
    </tr>
  )
}
