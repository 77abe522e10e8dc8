import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { refreshQueries } from '../api/query-client.ts'
import type { Member } from '../../contract/access/members.ts'
import { ApiError } from '../../client/browser/api-error.ts'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { useSession } from '../api/session.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { SimpleTable } from '../ui/simple-table.tsx'
import { visibleText } from '../ui/visible-text.ts'
import styles from './settings-page.module.css'

const ROLES = [
  { role: 'read', label: 'Read: view everything' },
  { role: 'write', label: 'Write: also send, review and delete' },
  { role: 'admin', label: 'Admin: also manage members' },
] as const

type Role = Member['role']

const ROLE_SOURCES: Readonly<Record<Member['from'], string>> = {
  project: 'This project',
  entity: 'Entity',
  owner: 'Entity owner',
}

/** Members of the project and their roles. Visible to project admins only. */
export function Members({ project }: { readonly project: Project }) {
  const me = useSession()?.username
  const key = ['members', project.project_id]
  const members = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.call('members_list', projectParams(project), signal),
  })
  const set = useMutation({
    mutationFn: (member: { readonly username: string; readonly role: Role }) =>
      api.call('member_set', { ...projectParams(project), ...member }),
    onSuccess: () => refreshQueries(key),
  })
  const remove = useMutation({
    mutationFn: (username: string) => api.call('member_remove', { ...projectParams(project), username }),
    onSuccess: () => refreshQueries(key),
  })
  if (members.isError) {
    return members.error instanceof ApiError && members.error.code === 'forbidden' ? (
      <section className="card">
        <h2>Members</h2>
        <p className="faint">Only project admins can view and manage members.</p>
      </section>
    ) : (
      <ErrorNotice error={members.error} retry={() => void members.refetch()} />
    )
  }
  return (
    <section className="card" aria-labelledby="members">
      <h2 id="members">Members</h2>
      <AddMember isBusy={set.isPending} onAdd={(username, role) => set.mutate({ username, role })} />
      {set.isError && (
        <p className="note bad" role="alert">
          {memberProblem(set.error, set.variables.username)}
        </p>
      )}
      {remove.isError && <ErrorNotice error={remove.error} />}
      {members.data?.members.length === 0 && (
        <p className="faint" role="status">
          Nobody has a role in this project yet. Administrators of the server have access to every project.
        </p>
      )}
      <SimpleTable
        caption="Members"
        isRoomy
        rows={members.data?.members ?? []}
        rowKey={({ username, from }) => `${username} ${from}`}
        columns={[
          {
            label: 'User',
            isRowHeader: true,
            cell: ({ username }) => (
              <>
                <span className="isolate">{visibleText(username)}</span>
                {username === me && <span className={styles.badge}>you</span>}
              </>
            ),
          },
          {
            label: 'Role',
            cell: ({ username, role, from }) =>
              from === 'project' ? (
                <RoleSelect
                  label={`Role of ${username}`}
                  role={role}
                  onRole={(next) => set.mutate({ username, role: next })}
                />
              ) : (
                role
              ),
          },
          { label: 'Source', className: 'faint', cell: ({ from }) => ROLE_SOURCES[from] },
          {
            label: 'Remove',
            isLabelHidden: true,
            cell: ({ username, from }) =>
              from === 'project' && (
                <IconButton
                  icon="trash"
                  label={`Remove ${username}`}
                  tooltip="Remove role"
                  onClick={() => remove.mutate(username)}
                />
              ),
          },
        ]}
      />
    </section>
  )
}

function memberProblem(error: Error, username: string): string {
  if (error instanceof ApiError && error.code === 'not_found')
    return `There is no user “${visibleText(username)}”. Check the spelling, or create the user first.`
  return `${error.message}.`
}

interface AddProps {
  readonly isBusy: boolean
  readonly onAdd: (username: string, role: Role) => void
}

function AddMember({ isBusy, onAdd }: AddProps) {
  const [username, setUsername] = useState('')
  const [role, setRole] = useState<Role>('write')
  const isServerAdmin = useSession()?.is_server_admin === true
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (username.trim() !== '') onAdd(username.trim(), role)
  }
  return (
    <form className={styles.line} aria-label="Add member" onSubmit={submit}>
      <TextInput
        label="Username"
        placeholder="ada"
        value={username}
        onChange={(event) => setUsername(event.target.value)}
      />
      <label className={styles.label}>
        Role
        <RoleSelect role={role} onRole={setRole} />
      </label>
      <Button type="submit" loading={isBusy} disabled={username.trim() === ''}>
        Add
      </Button>
      <p className="faint">
        {isServerAdmin ? (
          <>
            Create users in the <Link to="/server">server settings</Link>.
          </>
        ) : (
          'Administrators of the server create users.'
        )}
      </p>
    </form>
  )
}

interface RoleProps {
  readonly label?: string
  readonly role: Role
  readonly onRole: (role: Role) => void
}

function RoleSelect({ label, role, onRole }: RoleProps) {
  return (
    <select
      className="native-input"
      {...(label === undefined ? {} : { 'aria-label': label })}
      value={role}
      onChange={(event) => {
        const selected = ROLES.find((each) => each.role === event.target.value)
        if (selected !== undefined) onRole(selected.role)
      }}
    >
      {ROLES.map((each) => (
        <option key={each.role} value={each.role}>
          {each.label}
        </option>
      ))}
    </select>
  )
}
