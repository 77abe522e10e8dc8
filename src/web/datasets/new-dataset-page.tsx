import { Button, SegmentedControl } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type DragEvent, useMemo, useRef, useState } from 'react'
import { refreshQueries } from '../api/query-client.ts'
import { useProject } from '../api/project.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatBytes, formatCount } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { Page, PageHeader } from '../ui/page.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import { visibleText } from '../ui/visible-text.ts'
import { type ColumnKind, recordToRow } from './csv.ts'
import styles from './new-dataset-page.module.css'
import { datasetNameFromFile, nameError, publishToTarget, type Target } from './publish-dataset.ts'
import { type ParsedFile, parseRowsFile } from './parse-file.ts'
import { RowsPreview } from './rows-preview.tsx'
import { TargetFields } from './target-fields.tsx'
import { useDatasetNames } from './use-datasets.ts'

interface LoadedFile {
  readonly file: File
  readonly parsed: ParsedFile
}

/** The page that creates a dataset from a file. The file is parsed and previewed in the browser before publishing. */
export function NewDatasetPage() {
  const project = useProject()
  useDocumentTitle('New dataset', project.project_id)
  const { into } = useSearch({ from: '/$entity/$project/weave/new-dataset' })
  const names = useDatasetNames(project)
  const [target, setTarget] = useState<Target>({
    name: into ?? '',
    mode: into === undefined ? 'new' : 'append',
  })
  const [kinds, setKinds] = useState<ReadonlyMap<string, ColumnKind>>(new Map())
  const [progress, setProgress] = useState(0)
  const pendingRead = useRef<AbortController>(undefined)
  const navigate = useNavigate()

  const loadFile = useMutation({
    mutationFn: async (file: File): Promise<LoadedFile> => {
      pendingRead.current?.abort()
      const controller = new AbortController()
      pendingRead.current = controller
      setProgress(0)
      return { file, parsed: await parseRowsFile(file, setProgress, controller.signal) }
    },
    onSuccess: ({ file, parsed }) => {
      setKinds(parsed.kind === 'csv' ? parsed.detectedKinds : new Map())
      if (target.name === '') setTarget(defaultTarget(datasetNameFromFile(file.name), names.data ?? []))
    },
  })
  const parsed = loadFile.data?.parsed
  const rows = useMemo(() => parsedRows(parsed, kinds), [parsed, kinds])
  const publish = useMutation({
    mutationFn: (isEmpty: boolean) => publishToTarget(project, target, isEmpty ? [] : rows, setProgress),
    onSuccess: async (digest, isEmpty) => {
      await refreshQueries(['objects', project.project_id])
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
  const hasValidName = nameError(target.name) === undefined
  const invalidLines = parsed?.kind === 'json' ? parsed.invalid : []
  return (
    <Page isSurface>
      <PageHeader title={into === undefined ? 'New dataset' : `Add rows to ${into}`} />
      <div className={styles.body}>
        <DropZone onFile={(file) => loadFile.mutate(file)} />
        {loadFile.isPending && <p role="status">Reading… {formatCount(progress)} rows</p>}
        {loadFile.isError && <ErrorNotice error={loadFile.error} />}
        <TargetFields target={target} names={names.data ?? []} onTarget={setTarget} />
        {loadFile.data !== undefined && !loadFile.isPending && (
          <section className={styles.file} aria-label="File contents">
            <h2>
              <span className="isolate">{visibleText(loadFile.data.file.name)}</span>
              <span className={styles.about}>
                {' '}
                {formatBytes(loadFile.data.file.size)},{' '}
                {rows.length === 1 ? '1 row' : `${formatCount(rows.length)} rows`}
              </span>
            </h2>
            {invalidLines.length > 0 && (
              <p className="note warn" role="alert">
                {invalidLines.length === 1 ? '1 line is' : `${formatCount(invalidLines.length)} lines are`}{' '}
                not a row and will be skipped. Line {formatCount(invalidLines[0]?.line ?? 0)}:{' '}
                {invalidLines[0]?.reason}
              </p>
            )}
            {rows.length === 0 ? (
              <p className={styles.about}>This file contains no rows.</p>
            ) : (
              <RowsPreview
                rows={rows}
                {...(parsed?.kind === 'csv'
                  ? {
                      columnHeader: (column: string) => (
                        <ColumnKindControl
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
        {publish.isError && <ErrorNotice error={publish.error} />}
        <div className="row gap-8">
          <Button
            disabled={!hasValidName || rows.length === 0}
            loading={publish.isPending}
            onClick={() => publish.mutate(false)}
          >
            {rows.length === 0
              ? 'Publish'
              : `Publish ${rows.length === 1 ? '1 row' : `${formatCount(rows.length)} rows`}`}
          </Button>
          {target.mode === 'new' && parsed === undefined && (
            <Button
              variant="default"
              disabled={!hasValidName || publish.isPending}
              onClick={() => publish.mutate(true)}
            >
              Create empty dataset
            </Button>
          )}
          {publish.isPending && (
            <span className={styles.about} role="status">
              {formatCount(progress)} rows uploaded
            </span>
          )}
        </div>
      </div>
    </Page>
  )
}

function defaultTarget(name: string, names: readonly string[]): Target {
  return { name, mode: names.includes(name) ? 'append' : 'new' }
}

function parsedRows(
  parsed: ParsedFile | undefined,
  kinds: ReadonlyMap<string, ColumnKind>,
): readonly string[] {
  if (parsed === undefined) return []
  return parsed.kind === 'json'
    ? parsed.rows
    : parsed.records.map((record) => recordToRow(parsed.names, record, kinds))
}

interface ColumnKindControlProps {
  readonly column: string
  readonly kind: ColumnKind
  readonly onKind: (kind: ColumnKind) => void
}

/** Switches a CSV column between text and JSON. */
function ColumnKindControl({ column, kind, onKind }: ColumnKindControlProps) {
  return (
    <span className={styles.kind}>
      <SegmentedControl
        aria-label={`Type of ${column}`}
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
  const [isDragOver, setDragOver] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setDragOver(false)
    const [file] = event.dataTransfer.files
    if (file !== undefined) onFile(file)
  }
  return (
    <div
      className={styles.drop}
      data-over={isDragOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setDragOver(true)
      }}
      onDragLeave={() => setDragOver(false)}
      onDrop={drop}
    >
      <Icon name="upload" size={22} />
      <p>
        Drop a CSV, JSONL or JSON file here, or{' '}
        <button type="button" className={styles.choose} onClick={() => field.current?.click()}>
          choose a file
        </button>
      </p>
      <p className={styles.about}>
        The file is parsed in your browser. You can review the rows before you publish them.
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
          // Allows choosing the same file again after it was corrected.
          event.target.value = ''
        }}
      />
    </div>
  )
}
