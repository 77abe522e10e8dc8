import { Button, PasswordInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../client/browser/api-error.ts'
import { api } from '../api/client.ts'
import { useSession } from '../api/session.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import styles from './settings-page.module.css'
import { useKeysChange } from './use-keys.ts'

const MIN_CHARACTERS = 8

/** Changes the password of the signed-in user. */
export function PasswordForm() {
  const username = useSession()?.username ?? ''
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [repeated, setRepeated] = useState('')
  const change = useKeysChange(() =>
    api.call('password_change', { current_password: current, new_password: next }),
  )
  const isWrong = change.error instanceof ApiError && change.error.code === 'forbidden'
  const isReady = next.length >= MIN_CHARACTERS && next === repeated
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!isReady) return
    change.mutate(undefined, {
      onSuccess: () => {
        setCurrent('')
        setNext('')
        setRepeated('')
      },
    })
  }
  return (
    <section className="card" aria-labelledby="password">
      <h2 id="password">Password</h2>
      <p className="faint">Your other sessions end when you change it. API keys stay valid.</p>
      <form className={styles.fields} aria-label="Change password" onSubmit={submit}>
        {/* Password managers store the new password under this name. */}
        <input type="hidden" name="username" autoComplete="username" value={username} />
        <PasswordInput
          label="Current password"
          description="Empty if you have none yet"
          autoComplete="current-password"
          value={current}
          error={isWrong ? 'The current password is wrong' : undefined}
          onChange={(event) => {
            change.reset()
            setCurrent(event.target.value)
          }}
        />
        <PasswordInput
          label="New password"
          autoComplete="new-password"
          value={next}
          error={
            next !== '' && next.length < MIN_CHARACTERS ? `At least ${MIN_CHARACTERS} characters` : undefined
          }
          onChange={(event) => setNext(event.target.value)}
        />
        <PasswordInput
          label="Repeat new password"
          autoComplete="new-password"
          value={repeated}
          error={repeated !== '' && repeated !== next ? 'The passwords differ' : undefined}
          onChange={(event) => setRepeated(event.target.value)}
        />
        <div>
          <Button type="submit" disabled={!isReady} loading={change.isPending}>
            Change password
          </Button>
        </div>
      </form>
      {change.isError && !isWrong && <ErrorNotice error={change.error} />}
      {change.isSuccess && <p role="status">Password changed.</p>}
    </section>
  )
}
