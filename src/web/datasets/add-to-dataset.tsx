import { Button, Checkbox, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { refreshQueries } from '../api/query-client.ts'
import { formatRef } from '../../client/browser/ref.ts'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatCount } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import styles from './add-to-dataset.module.css'
import { type CallDocuments, type CallField, callFields, callRow } from './call-fields.ts'
import { nameError, publishToTarget, type Target } from './publish-dataset.ts'
import { RowsPreview } from './rows-preview.tsx'
import { TargetFields } from './target-fields.tsx'
import { useDatasetNames } from './use-datasets.ts'

interface Props {
  readonly project: Project
  /** Call ids, in list order. */
  readonly ids: readonly string[]
  readonly onClose: () => void
}

/** The dialog that adds calls as rows to a dataset: the target, and the call fields that become columns. */
export function AddToDataset({ project, ids, onClose }: Props) {
  const { project_id } = project
  const names = useDatasetNames(project)
  const calls = useQuery({
    queryKey: ['calls for a dataset', project_id, ids],
    queryFn: ({ signal }) => readCalls(project, ids, signal),
  })
  const fields = useMemo(() => callFields(calls.data ?? []), [calls.data])
  const [selection, setSelection] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [customNames, setCustomNames] = useState<ReadonlyMap<string, string>>(new Map())
  const [target, setTarget] = useState<Target>({ name: '', mode: 'new' })
  const isSelected = (field: CallField): boolean => selection.get(field.label) ?? field.isDefault
  const columnName = (field: CallField): string => customNames.get(field.label) ?? field.column
  const columns = fields.filter(isSelected).map((field) => ({ field, column: columnName(field).trim() }))
  const hasDuplicates = new Set(columns.map(({ column }) => column)).size < columns.length
  const hasAllNames = columns.every(({ column }) => column !== '')
  const rows = useMemo(
    () => (calls.data ?? []).map((call) => callRow(call, columns, (id) => callRef(project_id, id))),
    [calls.data, selection, customNames],
  )
  const publish = useMutation({
    mutationFn: () => publishToTarget(project, target, rows),
    onSuccess: () => refreshQueries(['objects', project_id]),
  })
  const count = rows.length === 1 ? '1 row' : `${formatCount(rows.length)} rows`
  const canPublish =
    nameError(target.name) === undefined && columns.length > 0 && !hasDuplicates && hasAllNames
  return (
    <Dialog title="Add to dataset" onClose={onClose} size="xl">
      {publish.isSuccess ? (
        <div className={styles.done} role="status">
          <p>
            {count} added to <b className="isolate">{visibleText(target.name)}</b>.
          </p>
          <Link
            to="/$entity/$project/weave/$kind/$name/versions/$digest"
            params={{
              entity: project.entity,
              project: project.project,
              kind: 'datasets',
              name: target.name,
              digest: publish.data,
            }}
            search={{}}
          >
            Open dataset
          </Link>
        </div>
      ) : calls.isError ? (
        <ErrorNotice error={calls.error} retry={() => void calls.refetch()} />
      ) : (
        <div className={styles.form}>
          <TargetFields target={target} names={names.data ?? []} onTarget={setTarget} />
          <fieldset className={styles.fields} aria-busy={calls.isPending}>
            <legend>Columns</legend>
            {fields.map((field) => (
              <div key={field.label} className={styles.field}>
                <Checkbox
                  label={<span className="isolate">{visibleText(field.label)}</span>}
                  checked={isSelected(field)}
                  onChange={(event) =>
                    setSelection(new Map([...selection, [field.label, event.target.checked]]))
                  }
                />
                <TextInput
                  aria-label={`Column name for ${field.label}`}
                  disabled={!isSelected(field)}
                  value={columnName(field)}
                  onChange={(event) =>
                    setCustomNames(new Map([...customNames, [field.label, event.target.value]]))
                  }
                />
              </div>
            ))}
          </fieldset>
          {hasDuplicates && (
            <p className="bad" role="alert">
              Column names must be unique.
            </p>
          )}
          {columns.length > 0 && <RowsPreview rows={rows} />}
          {publish.isError && <ErrorNotice error={publish.error} />}
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button disabled={!canPublish} loading={publish.isPending} onClick={() => publish.mutate()}>
              Add {count}
            </Button>
          </DialogActions>
        </div>
      )}
    </Dialog>
  )
}

function callRef(project_id: string, id: string): string {
  return formatRef({ kind: 'call', project_id, id, path: [] })
}

const MAX_CALLS_PER_REQUEST = 100

/** Reads the calls with inputs and output, in the order of `ids`. */
async function readCalls(
  project: Project,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<readonly CallDocuments[]> {
  const found = new Map<string, CallDocuments>()
  for (let i = 0; i < ids.length; i += MAX_CALLS_PER_REQUEST) {
    const group = ids.slice(i, i + MAX_CALLS_PER_REQUEST)
    const { calls } = await api.call(
      'project_calls',
      {
        ...projectParams(project),
        filter: { call_ids: group },
        columns: ['id', 'inputs', 'output'],
        limit: MAX_CALLS_PER_REQUEST,
      },
      signal,
    )
    for (const { id, inputs, output } of calls) {
      found.set(id, { id, inputs: inputs.text, output: output?.text })
    }
  }
  return ids.flatMap((id) => found.get(id) ?? [])
}
