import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import type { Project } from '../api/project.ts'
import { useProjects } from '../api/projects.ts'
import { Failure } from '../ui/failure.tsx'
import { formatCount } from '../ui/format.ts'
import { NOT_ERASED } from '../ui/not-erased.ts'
import { countDoomed, deleteDoomed, type Doomed } from './deletion.ts'
import styles from './settings-page.module.css'

const CHOICES = [
  { value: 'old calls', label: 'Calls that began before a day' },
  { value: 'calls', label: 'All calls' },
  { value: 'feedback', label: 'All feedback' },
  { value: 'objects', label: 'All objects: ops, prompts, models, datasets' },
] as const

type Choice = (typeof CHOICES)[number]['value']

const NOUNS: Readonly<Record<Doomed['kind'], readonly [string, string]>> = {
  calls: ['call', 'calls'],
  feedback: ['record of feedback', 'records of feedback'],
  objects: ['object', 'objects'],
}

function countText(count: number, kind: Doomed['kind']): string {
  return `${formatCount(count)} ${NOUNS[kind][count === 1 ? 0 : 1]}`
}

/** What can be deleted at once. Nothing happens before the name of the project is written out. */
export function DangerZone({ project }: { readonly project: Project }) {
  const [choice, setChoice] = useState<Choice>('old calls')
  const [day, setDay] = useState(() => new Date(Date.now() - 90 * 86_400_000).toISOString().slice(0, 10))
  const role = useProjects().data?.projects.find(({ project_id }) => project_id === project.project_id)?.role
  const doomed: Doomed =
    choice === 'old calls'
      ? { kind: 'calls', before: `${day}T00:00:00Z` }
      : choice === 'calls'
        ? { kind: 'calls', before: undefined }
        : { kind: choice }
  if (role === 'read') {
    return (
      <section className={styles.card}>
        <h2>Danger zone</h2>
        <p className={styles.faint}>You may read this project. Deleting takes the role “write”.</p>
      </section>
    )
  }
  return (
    <section className={styles.danger} aria-labelledby="danger">
      <h2 id="danger">Delete data of this project</h2>
      <fieldset className={styles.choices}>
        <legend>What?</legend>
        {CHOICES.map(({ value, label }) => (
          <label key={value} className={styles.choice}>
            <input
              type="radio"
              name="doomed"
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
          Began before (UTC)
          <span>
            <input
              type="date"
              className={styles.date}
              value={day}
              onChange={(event) => event.target.value !== '' && setDay(event.target.value)}
            />
          </span>
        </label>
      )}
      <Deletion key={JSON.stringify(doomed)} project={project} doomed={doomed} />
      <p className={styles.faint}>{NOT_ERASED}</p>
      <p className={styles.faint}>
        A project itself is nothing but its data: it stays listed, and a call that is sent to it begins it
        anew.
      </p>
    </section>
  )
}

function Deletion({ project, doomed }: { readonly project: Project; readonly doomed: Doomed }) {
  const queries = useQueryClient()
  const [written, setWritten] = useState('')
  const [deleted, setDeleted] = useState(0)
  const ending = useRef<AbortController>(null)
  const count = useQuery({
    queryKey: ['doomed', project.project_id, doomed],
    queryFn: ({ signal }) => countDoomed(project, doomed, signal),
    gcTime: 0,
  })
  const remove = useMutation({
    mutationFn: async () => {
      ending.current = new AbortController()
      setDeleted(0)
      await deleteDoomed(project, doomed, setDeleted, ending.current.signal)
    },
    onSettled: async () => {
      setWritten('')
      await queries.invalidateQueries()
    },
  })
  const isSure = written === project.project_id
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isSure) remove.mutate()
  }
  if (count.isError) return <Failure error={count.error} retry={() => void count.refetch()} />
  if (remove.isPending) {
    return (
      <div className={styles.line}>
        <p role="status">
          Deleting: {formatCount(deleted)} of {countText(Math.max(deleted, count.data ?? 0), doomed.kind)}{' '}
          gone.
        </p>
        <Button variant="default" onClick={() => ending.current?.abort()}>
          Stop
        </Button>
      </div>
    )
  }
  return (
    <>
      {remove.isSuccess && <p role="status">Done: {countText(deleted, doomed.kind)} deleted.</p>}
      {remove.isError && ending.current?.signal.aborted === true && (
        <p role="status">Stopped: {countText(deleted, doomed.kind)} deleted.</p>
      )}
      {remove.isError && ending.current?.signal.aborted !== true && <Failure error={remove.error} />}
      {count.data === 0 ? (
        !remove.isSuccess && <p className={styles.faint}>There are none.</p>
      ) : (
        <form className={styles.line} aria-label="Delete" onSubmit={submit}>
          <TextInput
            label={`To delete ${count.data === undefined ? '…' : countText(count.data, doomed.kind)}, write ${project.project_id}`}
            spellCheck={false}
            autoComplete="off"
            value={written}
            onChange={(event) => setWritten(event.target.value)}
          />
          <Button type="submit" color="madder" variant="light" disabled={!isSure || count.data === undefined}>
            Delete them
          </Button>
        </form>
      )}
    </>
  )
}
