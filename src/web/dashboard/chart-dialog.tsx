import { SegmentedControl, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useRef, useState } from 'react'
import type { Project } from '../api/project.ts'
import { useSavedQueries } from '../sql/saved-queries.ts'
import { Dialog, DialogForm } from '../ui/dialog.tsx'
import styles from './chart-dialog.module.css'
import { ChartView } from './chart-view.tsx'
import { type ChartDefinition, newMetricChart } from './definition.ts'
import { MetricFields, metricProblem } from './metric-fields.tsx'
import { type ChartSearch, metricTitle } from './metric-view.tsx'

interface Props {
  readonly project: Project
  /** The dialog is closed while `undefined`. */
  readonly chart: ChartDefinition | undefined
  readonly isNew: boolean
  readonly search: ChartSearch
  readonly isPending: boolean
  readonly error: unknown
  readonly onSave: (chart: ChartDefinition) => void
  readonly onClose: () => void
}

/** Dialog that defines a chart, with a preview. */
export function ChartDialog(props: Props) {
  const { chart, isNew, onClose } = props
  return (
    <Dialog
      title={isNew ? 'Add chart' : 'Edit chart'}
      isOpen={chart !== undefined}
      onClose={onClose}
      size={1080}
    >
      {chart !== undefined && <ChartForm key={chart.id} {...props} chart={chart} />}
    </Dialog>
  )
}

/** Waits for a pause in typing before the preview is read. */
const PREVIEW_DELAY_MS = 350

function ChartForm({
  project,
  chart,
  isNew,
  search,
  isPending,
  error,
  onSave,
  onClose,
}: Props & { chart: ChartDefinition }) {
  const [draft, setDraft] = useState(chart)
  const [preview] = useDebouncedValue(draft, PREVIEW_DELAY_MS)
  const queries = useSavedQueries(project)
  const problem = chartProblem(draft)
  const previewProblem = chartProblem(preview)
  // While a name is typed, the preview keeps the last chart.
  const shown = useRef<ChartDefinition>(undefined)
  if (previewProblem === undefined) shown.current = preview
  const changeSource = (source: string): void => {
    const { id, title, width } = draft
    setDraft(
      source === 'sql'
        ? { id, title, width, source: 'sql', query: queries.data?.[0]?.object_id ?? '' }
        : { ...newMetricChart(), id, title, width },
    )
  }
  return (
    <div className={styles.columns}>
      <DialogForm
        label="Chart"
        action={isNew ? 'Add chart' : 'Save'}
        isReady={problem === undefined}
        isPending={isPending}
        error={error}
        onSubmit={() => onSave({ ...draft, title: draft.title.trim() })}
        onCancel={onClose}
      >
        <SegmentedControl
          aria-label="Source"
          value={draft.source}
          onChange={changeSource}
          data={[
            { value: 'metric', label: 'Calls' },
            { value: 'sql', label: 'SQL query' },
          ]}
        />
        {draft.source === 'metric' ? (
          <MetricFields project={project} range={search.range} draft={draft} onDraft={setDraft} />
        ) : (
          <label className="stack gap-4">
            <span className={styles.label}>Saved query</span>
            <select
              className="native-input"
              value={draft.query}
              onChange={(event) => setDraft({ ...draft, query: event.target.value })}
            >
              {queries.data?.length === 0 && <option value="">No saved queries</option>}
              {queries.data?.map(({ object_id, label }) => (
                <option key={object_id} value={object_id}>
                  {label}
                </option>
              ))}
            </select>
            <span className="hint">
              Save queries on the SQL page. A query has a time range of its own, in its conditions.
            </span>
          </label>
        )}
        <TextInput
          label="Title"
          size="sm"
          maxLength={200}
          placeholder={
            draft.source === 'metric'
              ? metricTitle({ ...draft, title: '' })
              : (queries.data?.find(({ object_id }) => object_id === draft.query)?.label ?? 'SQL query')
          }
          value={draft.title}
          onChange={(event) => setDraft({ ...draft, title: event.target.value })}
        />
        <SegmentedControl
          aria-label="Width"
          value={draft.width}
          onChange={(width) => setDraft({ ...draft, width: width === 'whole' ? 'whole' : 'half' })}
          data={[
            { value: 'half', label: 'Half width' },
            { value: 'whole', label: 'Whole width' },
          ]}
        />
      </DialogForm>
      <section className={styles.preview} aria-label="Preview">
        {shown.current === undefined ? (
          <p className="hint">{previewProblem}.</p>
        ) : (
          <ChartView project={project} definition={shown.current} search={search} />
        )}
      </section>
    </div>
  )
}

/** What is wrong with a chart that is being edited. */
function chartProblem(chart: ChartDefinition): string | undefined {
  if (chart.source === 'metric') return metricProblem(chart)
  return chart.query === '' ? 'Choose a saved query' : undefined
}
