import { Button, PasswordInput, SegmentedControl, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../client/browser/api-error.ts'
import { type Credentials, signIn } from '../api/session.ts'
import { Mark } from '../ui/mark.tsx'
import { useTitle } from '../ui/use-title.ts'
import styles from './sign-in-page.module.css'

/** By name and password, by key, or by the link that the server prints at its start. */
export function SignInPage() {
  useTitle('Sign in')
  const { next } = useSearch({ from: '/sign-in' })
  const navigate = useNavigate()
  const [way, setWay] = useState<'password' | 'key'>('password')
  const [username, setUsername] = useState('')
  const [secret, setSecret] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string>()

  const enter = async (credentials: Credentials): Promise<void> => {
    setBusy(true)
    setTrouble(undefined)
    try {
      await signIn(credentials)
      // Only ever within this server: a link from elsewhere must not lead away.
      await navigate({
        href: next !== undefined && /^\/(?![/\\])/.test(next) ? next : '/projects',
        replace: true,
      })
    } catch (error) {
      setTrouble(reasonOf(error, credentials))
      setBusy(false)
    }
  }

  // A code works once: a second look at the page must not use it again.
  const codeUsed = useRef(false)
  useEffect(() => {
    const code = new URLSearchParams(window.location.hash.slice(1)).get('code')
    if (code === null || codeUsed.current) return
    codeUsed.current = true
    history.replaceState(history.state, '', window.location.pathname + window.location.search)
    void enter({ code })
  }, [])

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    void enter(way === 'password' ? { username, password: secret } : { api_key: secret.trim() })
  }

  return (
    <main className={styles.page}>
      <div className={styles.threads} aria-hidden="true" />
      <form className={styles.card} onSubmit={submit} aria-labelledby="sign-in">
        <div className={styles.brand}>
          <Mark size={34} />
          <h1 id="sign-in" className={styles.title}>
            Sign in to Heddle
          </h1>
        </div>
        <SegmentedControl
          fullWidth
          aria-label="Sign in by"
          value={way}
          onChange={(value) => {
            setWay(value)
            setSecret('')
            setTrouble(undefined)
          }}
          data={[
            { value: 'password', label: 'Password' },
            { value: 'key', label: 'API key' },
          ]}
        />
        {way === 'password' && (
          <TextInput
            label="User name"
            size="sm"
            autoComplete="username"
            autoFocus
            required
            withAsterisk={false}
            value={username}
            onChange={(event) => setUsername(event.target.value)}
          />
        )}
        <PasswordInput
          key={way}
          label={way === 'password' ? 'Password' : 'API key'}
          size="sm"
          autoComplete={way === 'password' ? 'current-password' : 'off'}
          required
          withAsterisk={false}
          value={secret}
          onChange={(event) => setSecret(event.target.value)}
        />
        {trouble !== undefined && (
          <p className={styles.trouble} role="alert">
            {trouble}
          </p>
        )}
        <Button type="submit" size="sm" fullWidth loading={isBusy}>
          Sign in
        </Button>
        <p className={styles.help}>
          On your own machine? <code>heddle serve</code> prints a link that signs you in. Otherwise ask
          whoever runs this server for an account.
        </p>
      </form>
    </main>
  )
}

/** With the built-in engine a link is printed at every start, with a ClickHouse of one's own only at the first. */
const USED_LINK =
  'This link has been used already or is too old. Sign in with a password or an API key. Neither at hand? Where the server runs, “heddle users password admin” makes a password; with the built-in engine a new link is printed whenever the server starts.'

function reasonOf(error: unknown, credentials: Credentials): string {
  if (error instanceof ApiError && error.code === 'unauthenticated') {
    if (credentials.code !== undefined) return USED_LINK
    return credentials.api_key === undefined
      ? 'No such user and password. Both are case-sensitive.'
      : 'No such key, or it has been revoked.'
  }
  const reason = error instanceof Error ? error.message : String(error)
  return error instanceof ApiError && error.code === 'unavailable'
    ? 'The server does not answer. Is it running? Try again in a moment.'
    : reason
}
