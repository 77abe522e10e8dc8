import { Badge, Button, Checkbox, Menu, ActionIcon, Modal, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { refreshQueries } from '../api/query-client.ts'
import type { User } from '../../contract/access/users.ts'
import { ApiError } from '../../client/browser/api-error.ts'
import { api } from '../api/client.ts'
import { formatAgo, formatTime } from '../time/format.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Icon } from '../ui/icon.tsx'
import { SecretNotice } from './secret-notice.tsx'
import styles from './settings-page.module.css'

const USERS_QUERY_KEY = ['users']

/** A password that the server generated. It is shown once. */
interface NewPassword {
  readonly username: string
  readonly password: string
}

/** All users of the server: create, reset passwords, disable and enable. */
export function Users({ me }: { readonly me: string }) {
  const [created, setCreated] = useState<NewPassword>()
  const [asking, setAsking] = useState<{ readonly user: User; readonly action: 'reset' | 'disable' }>()
  const users = useQuery({
    queryKey: USERS_QUERY_KEY,
    queryFn: ({ signal }) => api.call('users_list', {}, signal),
  })
  const refresh = () => refreshQueries(USERS_QUERY_KEY)
  const reset = useMutation({
    mutationFn: (username: string) => api.call('user_reset_password', { username }),
    onSuccess: (password) => {
      setCreated(password)
      setAsking(undefined)
      return refresh()
    },
  })
  const setState = useMutation({
    mutationFn: (change: { readonly username: string; readonly is_disabled: boolean }) =>
      api.call('user_set_state', change),
    onSuccess: () => {
      setAsking(undefined)
      return refresh()
    },
  })
  const confirm = (): void => {
    if (asking === undefined) return
    const { username } = asking.user
    if (asking.action === 'reset') reset.mutate(username)
    else setState.mutate({ username, is_disabled: true })
  }
  return (
    <section className={styles.card} aria-labelledby="users">
      <h2 id="users">Users</h2>
      <p className={styles.faint}>
        Every user owns the entity of their name. Members of a project are managed in the settings of the
        project.
      </p>
      <CreateUser
        onCreated={(password) => {
          setCreated(password)
          void refresh()
        }}
      />
      {created !== undefined && (
        <SecretNotice
          secret={created.password}
          copyLabel="Copy password"
          onDone={() => setCreated(undefined)}
        >
          Password of <b>{created.username}</b>. Copy it now, it is not shown again. The user can change it on
          the Account page.
        </SecretNotice>
      )}
      {users.isError && <ErrorNotice error={users.error} retry={() => void users.refetch()} />}
      {setState.isError && asking === undefined && <ErrorNotice error={setState.error} />}
      {users.data !== undefined && (
        <UserTable
          users={users.data.users}
          me={me}
          onAsk={(user, action) => {
            reset.reset()
            setState.reset()
            setAsking({ user, action })
          }}
          onEnable={(username) => setState.mutate({ username, is_disabled: false })}
        />
      )}
      <Modal
        opened={asking !== undefined}
        onClose={() => setAsking(undefined)}
        title={
          asking?.action === 'reset'
            ? `Reset the password of ${asking.user.username}?`
            : `Disable ${asking?.user.username ?? ''}?`
        }
        size="sm"
      >
        <p className={styles.faint}>
          {asking?.action === 'reset'
            ? 'The current password stops working and all sessions of the user end. API keys stay valid.'
            : 'The user cannot sign in, and their sessions and API keys are refused. Nothing is deleted; you can enable the user again.'}
        </p>
        {reset.isError && <ErrorNotice error={reset.error} />}
        {setState.isError && <ErrorNotice error={setState.error} />}
        <div className={styles.line}>
          <Button variant="default" data-autofocus onClick={() => setAsking(undefined)}>
            Cancel
          </Button>
          <Button
            color="madder"
            variant="light"
            loading={reset.isPending || setState.isPending}
            onClick={confirm}
          >
            {asking?.action === 'reset' ? 'Reset password' : 'Disable user'}
          </Button>
        </div>
      </Modal>
    </section>
  )
}

function CreateUser({ onCreated }: { readonly onCreated: (password: NewPassword) => void }) {
  const [username, setUsername] = useState('')
  const [isAdmin, setAdmin] = useState(false)
  const [adopt, setAdopt] = useState(false)
  const create = useMutation({
    mutationFn: () => api.call('user_create', { username: username.trim(), is_server_admin: isAdmin, adopt }),
    onSuccess: (password) => {
      setUsername('')
      setAdmin(false)
      setAdopt(false)
      onCreated(password)
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (username.trim() !== '') create.mutate()
  }
  const ownsProjects =
    create.error instanceof ApiError &&
    create.error.code === 'conflict' &&
    /has projects/.test(create.error.message)
  return (
    <>
      <form className={styles.line} aria-label="Create user" onSubmit={submit}>
        <TextInput
          label="Username"
          placeholder="ada"
          spellCheck={false}
          autoComplete="off"
          value={username}
          maxLength={64}
          onChange={(event) => {
            create.reset()
            setAdopt(false)
            setUsername(event.target.value)
          }}
        />
        <Checkbox
          className={styles.check}
          label="Server administrator"
          checked={isAdmin}
          onChange={(event) => setAdmin(event.target.checked)}
        />
        <Button
          type="submit"
          disabled={username.trim() === ''}
          loading={create.isPending}
          leftSection={<Icon name="plus" size={14} />}
        >
          Create user
        </Button>
      </form>
      {create.isError && !ownsProjects && <ErrorNotice error={create.error} />}
      {ownsProjects && (
        <Checkbox
          label={`Projects exist under the entity “${username.trim()}”. The new user will own them.`}
          checked={adopt}
          onChange={(event) => setAdopt(event.target.checked)}
        />
      )}
    </>
  )
}

interface TableProps {
  readonly users: readonly User[]
  readonly me: string
  readonly onAsk: (user: User, action: 'reset' | 'disable') => void
  readonly onEnable: (username: string) => void
}

function UserTable({ users, me, onAsk, onEnable }: TableProps) {
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">Users</caption>
      <thead>
        <tr>
          <th scope="col">Username</th>
          <th scope="col">Role</th>
          <th scope="col">State</th>
          <th scope="col">Last sign-in</th>
          <th scope="col">Created</th>
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {users.map((user) => (
          <tr key={user.username}>
            <th scope="row">
              {user.username}
              {user.username === me && <span className={styles.badge}>you</span>}
            </th>
            <td>{user.is_server_admin ? 'Server administrator' : 'User'}</td>
            <td>
              {user.is_disabled ? (
                <Badge color="madder" variant="light">
                  Disabled
                </Badge>
              ) : user.has_password ? (
                'Active'
              ) : (
                'API keys only'
              )}
            </td>
            <td className={styles.faint} title={user.last_sign_in_at ?? undefined}>
              {user.last_sign_in_at === null ? 'None recently' : formatAgo(user.last_sign_in_at, Date.now())}
            </td>
            <td className={styles.faint} title={user.created_at}>
              {formatTime(user.created_at)}
            </td>
            <td>
              <Menu position="bottom-end">
                <Menu.Target>
                  <ActionIcon aria-label={`Actions for ${user.username}`}>
                    <Icon name="more" size={14} />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  <Menu.Item disabled={user.username === me} onClick={() => onAsk(user, 'reset')}>
                    {user.has_password ? 'Reset password' : 'Set password'}
                  </Menu.Item>
                  {user.is_disabled ? (
                    <Menu.Item onClick={() => onEnable(user.username)}>Enable</Menu.Item>
                  ) : (
                    <Menu.Item disabled={user.username === me} onClick={() => onAsk(user, 'disable')}>
                      Disable
                    </Menu.Item>
                  )}
                </Menu.Dropdown>
              </Menu>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
