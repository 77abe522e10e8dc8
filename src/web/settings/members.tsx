import { ActionIcon, Button, TextInput, Tooltip } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Member } from '../../contract/access/members.ts'
import { ApiError } from '../../client/browser/api-error.ts'
import { api } from '../api/client.ts'
import { inPath, type Project } from '../api/project.ts'
import { useSession } from '../api/session.ts'
import { Failure } from '../ui/failure.tsx'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import styles from './settings-page.module.css'

const ROLES = [
  { role: 'read', label: 'read: look at everything' },
  { role: 'write', label: 'write: send, judge and delete too' },
  { role: 'admin', label: 'admin: manage members too' },
] as const

type Role = Member['role']

const FROM: Readonly<Record<Member['from'], string>> = {
  project: 'this project',
  entity: 'the whole entity',
  owner: 'owner of the entity',
}

/** Who has a role in the project. Only its admins see them. */
export function Members({ project }: { readonly project: Project }) {
  const me = useSession()?.username
  const queries = useQueryClient()
  const key = ['members', project.project_id]
  const members = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.call('members_list', inPath(project), signal),
  })
  const set = useMutation({
    mutationFn: (member: { readonly username: string; readonly role: Role }) =>
      api.call('member_set', { ...inPath(project), ...member }),
    onSuccess: () => queries.invalidateQueries({ queryKey: key }),
  })
  const remove = useMutation({
    mutationFn: (username: string) => api.call('member_remove', { ...inPath(project), username }),
    onSuccess: () => queries.invalidateQueries({ queryKey: key }),
  })
  if (members.isError) {
    return members.error instanceof ApiError && members.error.code === 'forbidden' ? (
      <section className={styles.card}>
        <h2>Members</h2>
        <p className={styles.faint}>Only admins of the project see and change who has a role in it.</p>
      </section>
    ) : (
      <Failure error={members.error} retry={() => void members.refetch()} />
    )
  }
  return (
    <section className={styles.card} aria-labelledby="members">
      <h2 id="members">Members</h2>
      <AddMember isBusy={set.isPending} onAdd={(username, role) => set.mutate({ username, role })} />
      {set.isError && <Failure error={set.error} />}
      {remove.isError && <Failure error={remove.error} />}
      <table className={styles.table}>
        <caption className="visually-hidden">Members</caption>
        <thead>
          <tr>
            <th scope="col">User</th>
            <th scope="col">Role</th>
            <th scope="col">Comes from</th>
            <th scope="col">
              <span className="visually-hidden">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {members.data?.members.map((member) => (
            <tr key={`${member.username} ${member.from}`}>
              <th scope="row">
                <span className="foreign">{visibleText(member.username)}</span>
                {member.username === me && <span className={styles.here}>you</span>}
              </th>
              <td>
                {member.from === 'project' ? (
                  <RoleSelect
                    label={`Role of ${member.username}`}
                    role={member.role}
                    onRole={(role) => set.mutate({ username: member.username, role })}
                  />
                ) : (
                  member.role
                )}
              </td>
              <td className={styles.faint}>{FROM[member.from]}</td>
              <td>
                {member.from === 'project' && (
                  <Tooltip label="Take the role away">
                    <ActionIcon
                      aria-label={`Remove ${member.username}`}
                      onClick={() => remove.mutate(member.username)}
                    >
                      <Icon name="trash" size={14} />
                    </ActionIcon>
                  </Tooltip>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface AddProps {
  readonly isBusy: boolean
  readonly onAdd: (username: string, role: Role) => void
}

function AddMember({ isBusy, onAdd }: AddProps) {
  const [username, setUsername] = useState('')
  const [role, setRole] = useState<Role>('write')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (username.trim() !== '') onAdd(username.trim(), role)
  }
  return (
    <form className={styles.line} aria-label="Add a member" onSubmit={submit}>
      <TextInput
        label="User name"
        placeholder="of somebody who can sign in"
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
      <p className={styles.faint}>
        Users are made by whoever runs the server: <code>heddle users create &lt;name&gt;</code>
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
      className={styles.select}
      {...(label === undefined ? {} : { 'aria-label': label })}
      value={role}
      onChange={(event) => {
        const chosen = ROLES.find((each) => each.role === event.target.value)
        if (chosen !== undefined) onRole(chosen.role)
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
