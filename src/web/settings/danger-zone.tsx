import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { refreshQueries } from '../api/query-client.ts'
import type { Project } from '../api/project.ts'
import { useProjects } from '../api/projects.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatCount } from '../ui/format.ts'
import { DELETION_NOTICE } from '../ui/deletion-notice.ts'
import { countMatching, deleteMatching, type DeletionScope } from './deletion.ts'
import styles from './settings-page.module.css'

const CHOICES = [
  { value: 'old calls', label: 'Calls started before a date' },
  { value: 'calls', label: 'All calls' },
  { value: 'feedback', label: 'All feedback' },
  { value: 'objects', label: 'All objects (ops, prompts, models, datasets)' },
] as const

type Choice = (typeof CHOICES)[number]['value']

const NOUNS: Readonly<Record<DeletionScope['kind'], readonly [string, string]>> = {
  calls: ['call', 'calls'],
  feedback: ['feedback record', 'feedback records'],
  objects: ['object', 'objects'],
}

function countText(count: number, kind: DeletionScope['kind']): string {
  return `${formatCount(count)} ${NOUNS[kind][count === 1 ? 0 : 1]}`
}

/** Bulk deletion. The user must type the project name to confirm. */
export function DangerZone({ project }: { readonly project: Project }) {
  const [choice, setChoice] = useState<Choice>('old calls')
  const [day, setDay] = useState(() => new Date(Date.now() - 90 * 86_400_000).toISOString().slice(0, 10))
  const role = useProjects().data?.projects.find(({ project_id }) => project_id === project.project_id)?.role
  const scope: DeletionScope =
    choice === 'old calls'
      ? { kind: 'calls', before: `${day}T00:00:00Z` }
      : choice === 'calls'
        ? { kind: 'calls', before: undefined }
        : { kind: choice }
  if (role === 'read') {
    return (
      <section className="card">
        <h2>Danger zone</h2>
        <p className="faint">You have read-only access. Deleting data requires the “write” role.</p>
      </section>
    )
  }
  return (
    <section className="card" data-danger aria-labelledby="danger">
      <h2 id="danger">Delete project data</h2>
      <fieldset className={styles.choices}>
        <legend>Data to delete</legend>
        {CHOICES.map(({ value, label }) => (
          <label key={value} className={styles.choice}>
            <input
              type="radio"
              name="scope"
              value={value}
              checked={choice === value}
              onChange={() => setChoice(value)}
            />
            {label}
          </label>
        ))}
      </fieldset>
      {choice === 'old calls' && (
        <label className={styles.label}>
          Started before (UTC)
          <span>
            <input
              type="date"
              className="native-input"
              value={day}
              onChange={(event) => event.target.value !== '' && setDay(event.target.value)}
            />
          </span>
        </label>
      )}
      <Deletion key={JSON.stringify(scope)} project={project} scope={scope} />
      <p className="faint">{DELETION_NOTICE}</p>
      <p className="faint">The project itself stays listed. New calls can still be sent to it.</p>
    </section>
  )
}

function Deletion({ project, scope }: { readonly project: Project; readonly scope: DeletionScope }) {
  const [typedName, setTypedName] = useState('')
  const [deleted, setDeleted] = useState(0)
  const aborter = useRef<AbortController>(null)
  const count = useQuery({
    queryKey: ['deletion count', project.project_id, scope],
    queryFn: ({ signal }) => countMatching(project, scope, signal),
    gcTime: 0,
  })
  const remove = useMutation({
    mutationFn: async () => {
      aborter.current = new AbortController()
      setDeleted(0)
      await deleteMatching(project, scope, setDeleted, aborter.current.signal)
    },
    onSettled: async () => {
      setTypedName('')
      await refreshQueries()
    },
  })
  const isConfirmed = typedName === project.project_id
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isConfirmed) remove.mutate()
  }
  if (count.isError) return <ErrorNotice error={count.error} retry={() => void count.refetch()} />
  if (remove.isPending) {
    return (
      <div className={styles.line}>
        <p role="status">
          Deleted {formatCount(deleted)} of {countText(Math.max(deleted, count.data ?? 0), scope.kind)}…
        </p>
        <Button variant="default" onClick={() => aborter.current?.abort()}>
          Stop
        </Button>
      </div>
    )
  }
  return (
    <>
      {remove.isSuccess && <p role="status">{countText(deleted, scope.kind)} deleted.</p>}
      {remove.isError && aborter.current?.signal.aborted === true && (
        <p role="status">Stopped. {countText(deleted, scope.kind)} deleted.</p>
      )}
      {remove.isError && aborter.current?.signal.aborted !== true && <ErrorNotice error={remove.error} />}
      {count.data === 0 ? (
        !remove.isSuccess && <p className="faint">Nothing to delete.</p>
      ) : (
        <form className={styles.line} aria-label="Delete" onSubmit={submit}>
          <TextInput
            label={`To delete ${count.data === undefined ? '…' : countText(count.data, scope.kind)}, type ${project.project_id}`}
            spellCheck={false}
            autoComplete="off"
            value={typedName}
            onChange={(event) => setTypedName(event.target.value)}
          />
          <Button
            type="submit"
            color="danger"
            variant="light"
            disabled={!isConfirmed || count.data === undefined}
          >
            Delete
          </Button>
        </form>
      )}
    </>
  )
}
