import { Button, Checkbox, Modal, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { formatRef } from '../../client/browser/ref.ts'
import { api } from '../api/client.ts'
import { inPath, type Project } from '../api/project.ts'
import { Failure } from '../ui/failure.tsx'
import { formatCount } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import styles from './add-to-dataset.module.css'
import { type CallDocuments, type CallField, fieldsOf, rowOf } from './call-fields.ts'
import { nameTrouble, publishTo, type Target } from './publish-dataset.ts'
import { RowsPreview } from './rows-preview.tsx'
import { TargetFields } from './target-fields.tsx'
import { useDatasetNames } from './use-datasets.ts'

interface Props {
  readonly project: Project
  /** Of the calls, in the order of the list. */
  readonly ids: readonly string[]
  readonly onClose: () => void
}

/** Makes rows of calls: which dataset, and which parts of the calls become columns. */
export function AddToDataset({ project, ids, onClose }: Props) {
  const { project_id } = project
  const names = useDatasetNames(project)
  const queries = useQueryClient()
  const calls = useQuery({
    queryKey: ['calls for a dataset', project_id, ids],
    queryFn: ({ signal }) => readCalls(project, ids, signal),
  })
  const fields = useMemo(() => fieldsOf(calls.data ?? []), [calls.data])
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [named, setNamed] = useState<ReadonlyMap<string, string>>(new Map())
  const [target, setTarget] = useState<Target>({ name: '', how: 'new' })
  const isOn = (field: CallField): boolean => chosen.get(field.label) ?? field.isUsual
  const columnOf = (field: CallField): string => named.get(field.label) ?? field.column
  const columns = fields.filter(isOn).map((field) => ({ field, column: columnOf(field).trim() }))
  const isDoubled = new Set(columns.map(({ column }) => column)).size < columns.length
  const isNamed = columns.every(({ column }) => column !== '')
  const rows = useMemo(
    () => (calls.data ?? []).map((call) => rowOf(call, columns, (id) => callRef(project_id, id))),
    [calls.data, chosen, named],
  )
  const publish = useMutation({
    mutationFn: () => publishTo(project, target, rows),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['objects', project_id] }),
  })
  const count = rows.length === 1 ? '1 row' : `${formatCount(rows.length)} rows`
  const canPublish = nameTrouble(target.name) === undefined && columns.length > 0 && !isDoubled && isNamed
  return (
    <Modal opened onClose={onClose} title="Add to a dataset" size="xl">
      {publish.isSuccess ? (
        <div className={styles.done} role="status">
          <p>
            {count} added to <b className="foreign">{visibleText(target.name)}</b>.
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
            Open the dataset
          </Link>
        </div>
      ) : calls.isError ? (
        <Failure error={calls.error} retry={() => void calls.refetch()} />
      ) : (
        <div className={styles.form}>
          <TargetFields target={target} names={names.data ?? []} onTarget={setTarget} />
          <fieldset className={styles.fields} aria-busy={calls.isPending}>
            <legend>Columns</legend>
            {fields.map((field) => (
              <div key={field.label} className={styles.field}>
                <Checkbox
                  label={<span className="foreign">{visibleText(field.label)}</span>}
                  checked={isOn(field)}
                  onChange={(event) => setChosen(new Map([...chosen, [field.label, event.target.checked]]))}
                />
                <TextInput
                  aria-label={`Column of ${field.label}`}
                  disabled={!isOn(field)}
                  value={columnOf(field)}
                  onChange={(event) => setNamed(new Map([...named, [field.label, event.target.value]]))}
                />
              </div>
            ))}
          </fieldset>
          {isDoubled && (
            <p className={styles.warning} role="alert">
              Two columns have the same name.
            </p>
          )}
          {columns.length > 0 && <RowsPreview rows={rows} />}
          {publish.isError && <Failure error={publish.error} />}
          <div className={styles.actions}>
            <Button variant="default" onClick={onClose}>
              Leave it
            </Button>
            <Button disabled={!canPublish} loading={publish.isPending} onClick={() => publish.mutate()}>
              Add {count}
            </Button>
          </div>
        </div>
      )}
    </Modal>
  )
}

function callRef(project_id: string, id: string): string {
  return formatRef({ kind: 'call', project_id, id, path: [] })
}

const AT_ONCE = 100

/** With their documents, in the order in which they were asked for. */
async function readCalls(
  project: Project,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<readonly CallDocuments[]> {
  const found = new Map<string, CallDocuments>()
  for (let i = 0; i < ids.length; i += AT_ONCE) {
    const group = ids.slice(i, i + AT_ONCE)
    const { calls } = await api.call(
      'project_calls',
      {
        ...inPath(project),
        filter: { call_ids: group },
        columns: ['id', 'inputs', 'output'],
        limit: AT_ONCE,
      },
      signal,
    )
    for (const { id, inputs, output } of calls) {
      found.set(id, { id, inputs: inputs.text, output: output?.text })
    }
  }
  return ids.flatMap((id) => found.get(id) ?? [])
}
