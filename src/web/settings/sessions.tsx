import { Button } from '@mantine/core'
import { api } from '../api/client.ts'
import { formatAgo, formatTime } from '../time/format.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { SimpleTable } from '../ui/simple-table.tsx'
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
    <section className="card" aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      <p className="faint">The browsers in which you are signed in. A session ends after 30 days.</p>
      {keys.isError ? (
        <ErrorNotice error={keys.error} retry={() => void keys.refetch()} />
      ) : (
        <SimpleTable
          caption="Sessions"
          isRoomy
          rows={sessions}
          rowKey={({ key_id }) => key_id}
          columns={[
            {
              label: 'Browser',
              isRowHeader: true,
              cell: (session) => (
                <>
                  <span className="isolate">{browserName(session)}</span>
                  {session.is_current && <span className={styles.badge}>this browser</span>}
                </>
              ),
            },
            {
              label: 'Signed in',
              title: ({ created_at }) => created_at,
              cell: ({ created_at }) => formatTime(created_at),
            },
            {
              label: 'Last used',
              className: 'faint',
              cell: ({ is_current, last_used_at }) =>
                is_current
                  ? 'Now'
                  : last_used_at === null
                    ? 'Not used yet'
                    : formatAgo(last_used_at, Date.now()),
            },
            {
              label: 'Sign out',
              isLabelHidden: true,
              cell: (session) =>
                !session.is_current && (
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    disabled={end.isPending}
                    aria-label={`Sign out ${browserName(session)}, signed in ${formatTime(session.created_at)}`}
                    onClick={() => end.mutate(session.key_id)}
                  >
                    Sign out
                  </Button>
                ),
            },
          ]}
        />
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

function browserName({ name }: ApiKey): string {
  return visibleText(name === '' ? 'Unknown browser' : name)
}
