import { Button, PasswordInput, SegmentedControl, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../client/browser/api-error.ts'
import { type Credentials, signIn } from '../api/session.ts'
import { Logo } from '../ui/logo.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import styles from './sign-in-page.module.css'

/** Sign-in by username and password, by API key, or by the one-time link that the server prints at start. */
export function SignInPage() {
  useDocumentTitle('Sign in')
  const { next } = useSearch({ from: '/sign-in' })
  const navigate = useNavigate()
  const [method, setMethod] = useState<'password' | 'key'>('password')
  const [username, setUsername] = useState('')
  const [secret, setSecret] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [errorText, setErrorText] = useState<string>()

  const enter = async (credentials: Credentials): Promise<void> => {
    setBusy(true)
    setErrorText(undefined)
    try {
      await signIn(credentials)
      // Only paths on this server: an open redirect must not be possible.
      await navigate({
        href: next !== undefined && /^\/(?![/\\])/.test(next) ? next : '/projects',
        replace: true,
      })
    } catch (error) {
      setErrorText(signInError(error, credentials))
      setBusy(false)
    }
  }

  // A code is single-use, so a second run of the effect must not send it again.
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
    void enter(method === 'password' ? { username, password: secret } : { api_key: secret.trim() })
  }

  return (
    <main className={styles.page}>
      <div className={styles.threads} aria-hidden="true" />
      <form className={styles.card} onSubmit={submit} aria-labelledby="sign-in">
        <div className="row gap-12">
          <Logo size={34} />
          <h1 id="sign-in" className={styles.title}>
            Sign in to Heddle
          </h1>
        </div>
        <SegmentedControl
          fullWidth
          aria-label="Sign-in method"
          value={method}
          onChange={(value) => {
            setMethod(value)
            setSecret('')
            setErrorText(undefined)
          }}
          data={[
            { value: 'password', label: 'Password' },
            { value: 'key', label: 'API key' },
          ]}
        />
        {method === 'password' && (
          <TextInput
            label="Username"
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
          key={method}
          label={method === 'password' ? 'Password' : 'API key'}
          size="sm"
          autoComplete={method === 'password' ? 'current-password' : 'off'}
          required
          withAsterisk={false}
          value={secret}
          onChange={(event) => setSecret(event.target.value)}
        />
        {errorText !== undefined && (
          <p className="note bad" role="alert">
            {errorText}
          </p>
        )}
        <Button type="submit" size="sm" fullWidth loading={isBusy}>
          Sign in
        </Button>
        <p className="hint">
          On your own machine, <code>heddle users link admin</code> prints a link that signs you in. Otherwise
          ask the server administrator for an account.
        </p>
      </form>
    </main>
  )
}

/** The server prints a link at its first start only. */
const USED_LINK =
  'This link was already used or has expired. Sign in with a password or an API key, or get a new link: run “heddle users link admin” on the server.'

function signInError(error: unknown, credentials: Credentials): string {
  if (error instanceof ApiError && error.code === 'unauthenticated') {
    if (error.extra['is_disabled'] === true)
      return 'This user is disabled. Ask a server administrator to enable it.'
    if (credentials.code !== undefined) return USED_LINK
    return credentials.api_key === undefined
      ? 'Incorrect username or password. Both are case-sensitive.'
      : 'Unknown or revoked API key.'
  }
  const reason = error instanceof Error ? error.message : String(error)
  return error instanceof ApiError && error.code === 'unavailable'
    ? 'The server does not respond. Check that it is running, then try again.'
    : reason
}
