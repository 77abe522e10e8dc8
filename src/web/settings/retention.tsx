import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { refreshQueries } from '../api/query-client.ts'
import type { BrowserResponse } from '../../client/browser/client.ts'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { useProjects } from '../api/projects.ts'
import { formatTime } from '../time/format.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatBytes, formatCount } from '../ui/format.ts'
import { draftOf, policyOf, type RetentionDraft } from './retention-draft.ts'
import styles from './settings-page.module.css'

type Saved = BrowserResponse<'retention_read'>
type Preview = BrowserResponse<'retention_preview'>

/** How long calls and their payloads are kept, with a preview of what a policy deletes. */
export function Retention({ project }: { readonly project: Project }) {
  const saved = useQuery({
    queryKey: ['retention', project.project_id],
    queryFn: ({ signal }) => api.call('retention_read', projectParams(project), signal),
  })
  const role = useProjects().data?.projects.find(({ project_id }) => project_id === project.project_id)?.role
  if (saved.isError) return <ErrorNotice error={saved.error} retry={() => void saved.refetch()} />
  if (saved.data === undefined) return <p className="faint">Loading…</p>
  return (
    <section className="card" aria-labelledby="retention">
      <h2 id="retention">Retention</h2>
      <p className="faint">
        Older calls are deleted, or lose their text and keep their metrics. Traces with feedback, in a review
        queue, or referenced by a dataset are always kept.
      </p>
      <RetentionForm project={project} saved={saved.data} isAdmin={role === undefined || role === 'admin'} />
      <LastRun saved={saved.data} />
    </section>
  )
}

interface FormProps {
  readonly project: Project
  readonly saved: Saved
  readonly isAdmin: boolean
}

const FIELDS = [
  { name: 'callsDays', label: 'Delete calls after (days)' },
  { name: 'callsGigabytes', label: 'Keep calls up to (GB)' },
  { name: 'payloadsDays', label: 'Delete payloads after (days)' },
  { name: 'payloadsGigabytes', label: 'Keep payloads up to (GB)' },
] as const satisfies readonly { name: keyof RetentionDraft; label: string }[]

function RetentionForm({ project, saved, isAdmin }: FormProps) {
  const [draft, setDraft] = useState(() => draftOf(saved))
  const policy = policyOf(draft)
  const request = { ...projectParams(project), ...(policy ?? saved) }
  const preview = useMutation({ mutationFn: () => api.call('retention_preview', request) })
  const save = useMutation({
    mutationFn: () => api.call('retention_update', request),
    onSuccess: () => refreshQueries(['retention']),
  })
  const change = (name: keyof RetentionDraft, value: string): void => {
    preview.reset()
    save.reset()
    setDraft({ ...draft, [name]: value })
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (policy !== undefined) save.mutate()
  }
  return (
    <form aria-label="Retention" onSubmit={submit} className={styles.fields}>
      {FIELDS.map(({ name, label }) => (
        <TextInput
          key={name}
          label={label}
          placeholder="no limit"
          inputMode="decimal"
          autoComplete="off"
          disabled={!isAdmin}
          value={draft[name]}
          onChange={(event) => change(name, event.target.value)}
        />
      ))}
      <TextInput
        label="Keep traces with a tag"
        description="Separated by commas"
        autoComplete="off"
        disabled={!isAdmin}
        value={draft.keepTags}
        onChange={(event) => change('keepTags', event.target.value)}
      />
      {policy === undefined && <p role="alert">Limits must be positive numbers.</p>}
      <div className={styles.line}>
        <Button
          variant="default"
          disabled={policy === undefined}
          loading={preview.isPending}
          onClick={() => preview.mutate()}
        >
          Preview
        </Button>
        {isAdmin && (
          <Button type="submit" disabled={policy === undefined} loading={save.isPending}>
            Save policy
          </Button>
        )}
      </div>
      {!isAdmin && <p className="faint">Only project admins can change the policy.</p>}
      {preview.isError && <ErrorNotice error={preview.error} />}
      {save.isError && <ErrorNotice error={save.error} />}
      {save.isSuccess && <p role="status">Saved. The next run applies it, within about an hour.</p>}
      {preview.data !== undefined && <PreviewResult preview={preview.data} />}
    </form>
  )
}

function PreviewResult({ preview }: { readonly preview: Preview }) {
  const { calls, payloads, kept_calls } = preview
  return (
    <div role="status" aria-label="Preview">
      <p>{countText('Calls to delete', calls)}</p>
      <p>{countText('Payloads to delete', payloads)}</p>
      <p className="faint">Older calls to keep: {formatCount(kept_calls)}.</p>
    </div>
  )
}

function countText(title: string, { count, bytes, before }: Preview['calls']): string {
  const started = before === null || count === 0 ? '' : `, started before ${formatTime(before)}`
  return `${title}: ${formatCount(count)} (${formatBytes(bytes)})${started}.`
}

function LastRun({ saved }: { readonly saved: Saved }) {
  const { last_run_at, last_deletion, server_max_days } = saved
  return (
    <>
      {server_max_days !== null && (
        <p className="faint">
          This server deletes all calls that are older than {formatCount(server_max_days)} days, with or
          without feedback.
        </p>
      )}
      <p className="faint">
        {last_run_at === null ? 'Retention has not run yet.' : `Last run: ${formatTime(last_run_at)}.`}
        {last_deletion !== null &&
          ` Last deletion: ${formatTime(last_deletion.deleted_at)}, ${formatCount(last_deletion.calls)} calls and payloads of ${formatCount(last_deletion.payloads)} calls.`}
      </p>
    </>
  )
}
