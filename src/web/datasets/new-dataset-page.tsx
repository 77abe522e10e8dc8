import { Button, SegmentedControl } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type DragEvent, useMemo, useRef, useState } from 'react'
import { useProject } from '../api/project.ts'
import { Failure } from '../ui/failure.tsx'
import { formatBytes, formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { useTitle } from '../ui/use-title.ts'
import { visibleText } from '../ui/visible-text.ts'
import { type ColumnKind, recordRow } from './csv.ts'
import styles from './new-dataset-page.module.css'
import { nameOfFile, nameTrouble, publishTo, type Target } from './publish-dataset.ts'
import { type ReadFile, readRowsFile } from './read-file.ts'
import { RowsPreview } from './rows-preview.tsx'
import { TargetFields } from './target-fields.tsx'
import { useDatasetNames } from './use-datasets.ts'

interface Chosen {
  readonly file: File
  readonly read: ReadFile
}

/** A dataset from a file: it is read in the browser and looked at before anything is published. */
export function NewDatasetPage() {
  const project = useProject()
  useTitle('New dataset', project.project_id)
  const { into } = useSearch({ from: '/$entity/$project/weave/new-dataset' })
  const names = useDatasetNames(project)
  const [target, setTarget] = useState<Target>({
    name: into ?? '',
    how: into === undefined ? 'new' : 'append',
  })
  const [kinds, setKinds] = useState<ReadonlyMap<string, ColumnKind>>(new Map())
  const [progress, setProgress] = useState(0)
  const reading = useRef<AbortController>(undefined)
  const queries = useQueryClient()
  const navigate = useNavigate()

  const choose = useMutation({
    mutationFn: async (file: File): Promise<Chosen> => {
      reading.current?.abort()
      const stop = new AbortController()
      reading.current = stop
      setProgress(0)
      return { file, read: await readRowsFile(file, setProgress, stop.signal) }
    },
    onSuccess: ({ file, read }) => {
      setKinds(read.kind === 'csv' ? read.guesses : new Map())
      if (target.name === '') setTarget(targetOf(nameOfFile(file.name), names.data ?? []))
    },
  })
  const read = choose.data?.read
  const rows = useMemo(() => rowsOf(read, kinds), [read, kinds])
  const publish = useMutation({
    mutationFn: (isEmpty: boolean) => publishTo(project, target, isEmpty ? [] : rows, setProgress),
    onSuccess: async (digest, isEmpty) => {
      await queries.invalidateQueries({ queryKey: ['objects', project.project_id] })
      await navigate({
        to: '/$entity/$project/weave/$kind/$name/versions/$digest',
        params: {
          entity: project.entity,
          project: project.project,
          kind: 'datasets',
          name: target.name,
          digest,
        },
        search: isEmpty ? { edit: 'on' } : {},
      })
    },
  })
  const isNamed = nameTrouble(target.name) === undefined
  const bad = read?.kind === 'json' ? read.bad : []
  return (
    <div className={styles.page}>
      <PageHead title={into === undefined ? 'New dataset' : `Rows for ${into}`} />
      <div className={styles.body}>
        <DropZone onFile={(file) => choose.mutate(file)} />
        {choose.isPending && <p role="status">Reading… {formatCount(progress)} rows so far</p>}
        {choose.isError && <Failure error={choose.error} />}
        <TargetFields target={target} names={names.data ?? []} onTarget={setTarget} />
        {choose.data !== undefined && !choose.isPending && (
          <section className={styles.read} aria-label="What was read">
            <h2>
              <span className="foreign">{visibleText(choose.data.file.name)}</span>
              <span className={styles.about}>
                {' '}
                {formatBytes(choose.data.file.size)},{' '}
                {rows.length === 1 ? '1 row' : `${formatCount(rows.length)} rows`}
              </span>
            </h2>
            {bad.length > 0 && (
              <p className={styles.warning} role="alert">
                {bad.length === 1 ? 'One line is' : `${formatCount(bad.length)} lines are`} no row and will be
                left out. Line {formatCount(bad[0]?.line ?? 0)}: {bad[0]?.reason}
              </p>
            )}
            {rows.length === 0 ? (
              <p className={styles.about}>There is no row in this file.</p>
            ) : (
              <RowsPreview
                rows={rows}
                {...(read?.kind === 'csv'
                  ? {
                      headOf: (column: string) => (
                        <KindChoice
                          column={column}
                          kind={kinds.get(column) ?? 'text'}
                          onKind={(kind) => setKinds(new Map([...kinds, [column, kind]]))}
                        />
                      ),
                    }
                  : {})}
              />
            )}
          </section>
        )}
        {publish.isError && <Failure error={publish.error} />}
        <div className={styles.actions}>
          <Button
            disabled={!isNamed || rows.length === 0}
            loading={publish.isPending}
            onClick={() => publish.mutate(false)}
          >
            {rows.length === 0
              ? 'Publish'
              : `Publish ${rows.length === 1 ? '1 row' : `${formatCount(rows.length)} rows`}`}
          </Button>
          {target.how === 'new' && read === undefined && (
            <Button
              variant="default"
              disabled={!isNamed || publish.isPending}
              onClick={() => publish.mutate(true)}
            >
              Start empty
            </Button>
          )}
          {publish.isPending && (
            <span className={styles.about} role="status">
              {formatCount(progress)} rows stored
            </span>
          )}
        </div>
      </div>
    </div>
  )
}

function targetOf(name: string, names: readonly string[]): Target {
  return { name, how: names.includes(name) ? 'append' : 'new' }
}

function rowsOf(read: ReadFile | undefined, kinds: ReadonlyMap<string, ColumnKind>): readonly string[] {
  if (read === undefined) return []
  return read.kind === 'json' ? read.rows : read.records.map((record) => recordRow(read.names, record, kinds))
}

interface KindChoiceProps {
  readonly column: string
  readonly kind: ColumnKind
  readonly onKind: (kind: ColumnKind) => void
}

/** Whether the fields of a column are texts, or the JSON that they spell. */
function KindChoice({ column, kind, onKind }: KindChoiceProps) {
  return (
    <span className={styles.kind}>
      <SegmentedControl
        aria-label={`How ${column} is read`}
        value={kind}
        onChange={(value) => onKind(value === 'json' ? 'json' : 'text')}
        data={[
          { value: 'text', label: 'Text' },
          { value: 'json', label: 'JSON' },
        ]}
      />
    </span>
  )
}

function DropZone({ onFile }: { readonly onFile: (file: File) => void }) {
  const [isOver, setOver] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file !== undefined) onFile(file)
  }
  return (
    <div
      className={styles.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Icon name="upload" size={22} />
      <p>
        Drop a CSV, JSONL or JSON file here, or{' '}
        <button type="button" className={styles.choose} onClick={() => field.current?.click()}>
          choose one
        </button>
      </p>
      <p className={styles.about}>
        It is read in your browser. Nothing is published before you have seen it.
      </p>
      <input
        ref={field}
        className="visually-hidden"
        type="file"
        aria-label="File with rows"
        tabIndex={-1}
        accept=".csv,.tsv,.jsonl,.ndjson,.json,text/csv,application/json"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file !== undefined) onFile(file)
          // The same file may be chosen again after it was mended.
          event.target.value = ''
        }}
      />
    </div>
  )
}
