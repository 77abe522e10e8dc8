import { SegmentedControl, TextInput } from '@mantine/core'
import { type KeyboardEvent, useId, useState } from 'react'
import { parseFieldMeasure } from '../../client/browser/field-measures.ts'
import type { Project } from '../api/project.ts'
import { findField, isField, isScore, KNOWN_FIELDS } from '../filter/fields.ts'
import { FilterBox } from '../filter/filter-box.tsx'
import { useKnownPaths } from '../filter/use-known-values.ts'
import { parseRange } from '../time/range.ts'
import styles from './chart-dialog.module.css'
import { canBeBars, CHART_KINDS, type MetricDefinition } from './definition.ts'
import { AGGREGATES, isAggregate, isNamedMeasure, type Measure, MEASURES } from './measures.ts'

interface Props {
  readonly project: Project
  readonly range: string | undefined
  readonly draft: MetricDefinition
  readonly onDraft: (draft: MetricDefinition) => void
}

const KIND_LABELS = { line: 'Line', bar: 'Bars', number: 'Number', table: 'Table' } as const

/** Fields whose values are numbers. */
const NUMERIC_FIELDS = KNOWN_FIELDS.filter(({ type }) => type === 'number' || type === 'duration')
const GROUP_FIELDS = KNOWN_FIELDS.filter(({ canGroup }) => canGroup)

/** What is wrong with a definition that is being edited. */
export function metricProblem({ measure, group }: MetricDefinition): string | undefined {
  const field = parseFieldMeasure(measure)?.field.trim()
  if (field === NO_FIELD) return 'Name the field to aggregate'
  if (field !== undefined && !isField(field)) return unknownField(field)
  if (group !== undefined && !isField(group)) return unknownField(group)
  if (group !== undefined && findField(group)?.canGroup === false)
    return `Calls cannot be grouped by ${group}`
  return undefined
}

function unknownField(name: string): string {
  return `Unknown field ${name}: use a named field, scores.name, or a path into inputs, output, attributes or summary`
}

/** Stands for the empty field of a measure, which cannot be written without one. */
const NO_FIELD = '?'

/** The fields of a chart of calls: measure, calls, filter, group and kind. */
export function MetricFields({ project, range, draft, onDraft }: Props) {
  const parsed = parseFieldMeasure(draft.measure)
  const fieldsId = useId()
  const groupsId = useId()
  const paths = useKnownPaths(project, true)
  const [group, setGroup] = useState(draft.group ?? '')
  // What is being typed is not yet wrong.
  const [typed, setTyped] = useState<'field' | 'group'>()
  const typing = (name: 'field' | 'group') => ({
    onBlur: () => setTyped(undefined),
    onKeyDown: (event: KeyboardEvent) => {
      // Enter ends the field, and does not add a chart that is not finished.
      if (event.key !== 'Enter') return
      event.preventDefault()
      setTyped(undefined)
    },
    onInput: () => setTyped(name),
  })
  const setMeasure = (value: string): void => {
    if (isNamedMeasure(value)) onDraft({ ...draft, measure: value })
    // Scores are often on calls within a trace.
    else if (isAggregate(value))
      onDraft({ ...draft, measure: `${value}(${parsed?.field ?? NO_FIELD})`, scope: 'calls' })
  }
  const { group: _, ...ungrouped } = draft
  const { filter: __, ...unfiltered } = draft
  const problem = metricProblem(draft)
  return (
    <>
      <label className="stack gap-4">
        <span className={styles.label}>Measure</span>
        <select
          className="native-input"
          value={parsed?.aggregate ?? draft.measure}
          onChange={(event) => setMeasure(event.target.value)}
        >
          <optgroup label="Calls">
            {Object.entries(MEASURES).map(([measure, label]) => (
              <option key={measure} value={measure}>
                {label}
              </option>
            ))}
          </optgroup>
          <optgroup label="Scores and other fields">
            {Object.entries(AGGREGATES).map(([aggregate, label]) => (
              <option key={aggregate} value={aggregate}>
                {label}…
              </option>
            ))}
          </optgroup>
        </select>
      </label>
      {parsed !== undefined && (
        <>
          <TextInput
            label="Field"
            size="sm"
            placeholder="scores.helpful"
            spellCheck={false}
            list={fieldsId}
            maxLength={1000}
            value={parsed.field === NO_FIELD ? '' : parsed.field}
            error={parsed.field === NO_FIELD || typed === 'field' ? undefined : problem}
            {...typing('field')}
            onChange={(event) => {
              const field = event.target.value
              onDraft({
                ...draft,
                measure: `${parsed.aggregate}(${field === '' ? NO_FIELD : field})` as Measure,
              })
            }}
          />
          <datalist id={fieldsId}>
            {paths.filter(isScore).map((path) => (
              <option key={path} value={path} />
            ))}
            {(parsed.aggregate === 'count' ? KNOWN_FIELDS : NUMERIC_FIELDS).map(({ name, about }) => (
              <option key={name} value={name} label={about} />
            ))}
          </datalist>
        </>
      )}
      <SegmentedControl
        aria-label="Chart kind"
        value={draft.kind}
        onChange={(kind) => onDraft({ ...draft, kind: CHART_KINDS.find((each) => each === kind) ?? 'line' })}
        data={CHART_KINDS.map((kind) => ({
          value: kind,
          label: KIND_LABELS[kind],
          disabled: kind === 'bar' && !canBeBars(draft),
        }))}
      />
      {draft.kind !== 'number' && (
        <>
          <TextInput
            label="Group by"
            size="sm"
            placeholder="model"
            spellCheck={false}
            list={groupsId}
            maxLength={1000}
            value={group}
            error={parsed === undefined && typed !== 'group' ? problem : undefined}
            {...typing('group')}
            onChange={(event) => {
              const text = event.target.value
              setGroup(text)
              onDraft(text.trim() === '' ? ungrouped : { ...draft, group: text.trim() })
            }}
          />
          <datalist id={groupsId}>
            {GROUP_FIELDS.map(({ name, about }) => (
              <option key={name} value={name} label={about} />
            ))}
          </datalist>
        </>
      )}
      <SegmentedControl
        aria-label="Scope"
        value={draft.scope}
        onChange={(scope) => onDraft({ ...draft, scope: scope === 'calls' ? 'calls' : 'traces' })}
        data={[
          { value: 'traces', label: 'Traces' },
          { value: 'calls', label: 'All calls' },
        ]}
      />
      <div className="stack gap-4">
        <span className={styles.label}>Filter</span>
        <FilterBox
          project={project}
          range={parseRange(range)}
          filter={draft.filter}
          text={undefined}
          onApply={({ filter, text }) => {
            // Metrics do not support text search.
            if (text === undefined) onDraft(filter === undefined ? unfiltered : { ...draft, filter })
          }}
        />
      </div>
    </>
  )
}
