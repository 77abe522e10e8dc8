import { Badge, Checkbox, Menu, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { refreshQueries } from '../api/query-client.ts'
import type { User } from '../../contract/access/users.ts'
import { ApiError } from '../../client/browser/api-error.ts'
import { api } from '../api/client.ts'
import { formatAgo, formatTime } from '../time/format.ts'
import { ActionMenu } from '../ui/action-menu.tsx'
import { ActionButton } from '../ui/action-button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { SimpleTable } from '../ui/simple-table.tsx'
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
  const [endKeys, setEndKeys] = useState(false)
  const users = useQuery({
    queryKey: USERS_QUERY_KEY,
    queryFn: ({ signal }) => api.call('users_list', {}, signal),
  })
  const refresh = () => refreshQueries(USERS_QUERY_KEY)
  const reset = useMutation({
    mutationFn: (username: string) => api.call('user_reset_password', { username, end_keys: endKeys }),
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
    <section className="card" aria-labelledby="users">
      <h2 id="users">Users</h2>
      <p className="faint">
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
            setEndKeys(false)
            setAsking({ user, action })
          }}
          onEnable={(username) => setState.mutate({ username, is_disabled: false })}
        />
      )}
      <ConfirmDialog
        title={
          asking?.action === 'reset'
            ? `Reset the password of ${asking.user.username}?`
            : `Disable ${asking?.user.username ?? ''}?`
        }
        isOpen={asking !== undefined}
        action={asking?.action === 'reset' ? 'Reset password' : 'Disable user'}
        isPending={reset.isPending || setState.isPending}
        error={reset.error ?? setState.error}
        onConfirm={confirm}
        onClose={() => setAsking(undefined)}
      >
        {asking?.action === 'reset' ? (
          <>
            <p>The current password stops working and all sessions of the user end.</p>
            <Checkbox
              mt="xs"
              label="Also revoke the API keys of the user"
              checked={endKeys}
              onChange={(event) => setEndKeys(event.currentTarget.checked)}
            />
          </>
        ) : (
          'The user cannot sign in, and their sessions and API keys end for good. Their data stays; you can enable the user again, who then needs new keys.'
        )}
      </ConfirmDialog>
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
        <ActionButton type="submit" disabled={username.trim() === ''} loading={create.isPending} icon="plus">
          Create user
        </ActionButton>
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
    <SimpleTable
      caption="Users"
      isRoomy
      rows={users}
      rowKey={({ username }) => username}
      columns={[
        {
          label: 'Username',
          isRowHeader: true,
          cell: ({ username }) => (
            <>
              {username}
              {username === me && <span className={styles.badge}>you</span>}
            </>
          ),
        },
        {
          label: 'Role',
          cell: ({ is_server_admin }) => (is_server_admin ? 'Server administrator' : 'User'),
        },
        {
          label: 'State',
          cell: ({ is_disabled, has_password }) =>
            is_disabled ? (
              <Badge color="danger" variant="light">
                Disabled
              </Badge>
            ) : has_password ? (
              'Active'
            ) : (
              'API keys only'
            ),
        },
        {
          label: 'Last sign-in',
          className: 'faint',
          title: ({ last_sign_in_at }) => last_sign_in_at ?? undefined,
          cell: ({ last_sign_in_at }) =>
            last_sign_in_at === null ? 'No recent sign-in' : formatAgo(last_sign_in_at, Date.now()),
        },
        {
          label: 'Created',
          className: 'faint',
          title: ({ created_at }) => created_at,
          cell: ({ created_at }) => formatTime(created_at),
        },
        {
          label: 'Actions',
          isLabelHidden: true,
          cell: (user) => (
            <ActionMenu label={`Actions for ${user.username}`}>
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
            </ActionMenu>
          ),
        },
      ]}
    />
  )
}
