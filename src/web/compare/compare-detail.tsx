import { Checkbox, SegmentedControl } from '@mantine/core'
import type { Project } from '../api/project.ts'
import { exceptionText } from '../call/exception.ts'
import { PayloadSection } from '../call/payload-section.tsx'
import { useCall } from '../call/use-call.ts'
import { type DiffLayout, DiffView } from '../diff/diff-view.tsx'
import { prettyJson } from '../diff/pretty-json.ts'
import type { JsonSource } from '../json/json-source.ts'
import { JsonView } from '../json/json-view.tsx'
import { useAsyncValue } from '../json/use-async-value.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatBytes } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import { preciseMs } from '../time/format.ts'
import { alignmentStatus } from './tree-alignment.ts'
import styles from './compare-detail.module.css'
import type { CompareRow } from './compare-rows.ts'
import { columnLetter } from './compared-ids.ts'
import type { ComparedCall } from './compared-call.ts'
import { MetricsTable } from './metrics-table.tsx'

interface Props {
  readonly project: Project
  readonly row: CompareRow
  /** Number of compared calls. */
  readonly count: number
  /** Index of the call whose text is compared with the baseline. */
  readonly comparedIndex: number
  readonly layout: DiffLayout
  /** IDs, times and durations count as differences. */
  readonly includesVolatile: boolean
  readonly onIncludeVolatile: (isOn: boolean) => void
  readonly onCompareWith: (n: number) => void
  readonly onLayout: (layout: DiffLayout) => void
}

/** The selected node: its metrics in every trace, and a line diff of inputs and output between two traces. */
export function CompareDetail({
  project,
  row,
  count,
  comparedIndex,
  layout,
  includesVolatile,
  onIncludeVolatile,
  onCompareWith,
  onLayout,
}: Props) {
  const { node } = row
  const a = node.calls[0]
  const b = node.calls[comparedIndex]
  const calls = Array.from({ length: count }, (_, n) => node.calls[n]?.item)
  return (
    <section className={styles.detail} aria-label={`Comparison of ${node.key}`}>
      <div className={styles.head}>
        <h2 className="ellipsis isolate">{visibleText(node.key)}</h2>
        <span className="grow" />
        <Checkbox
          label="Include IDs and times"
          checked={includesVolatile}
          onChange={(event) => onIncludeVolatile(event.target.checked)}
        />
        {count > 2 && (
          <SegmentedControl
            aria-label="Compared calls"
            value={String(comparedIndex)}
            onChange={(value) => onCompareWith(Number(value))}
            data={Array.from({ length: count - 1 }, (_, n) => ({
              value: String(n + 1),
              label: `A – ${columnLetter(n + 1)}`,
            }))}
          />
        )}
        <SegmentedControl
          aria-label="Diff layout"
          value={layout}
          onChange={(value) => onLayout(value === 'unified' ? 'unified' : 'split')}
          data={[
            { value: 'split', label: 'Side by side' },
            { value: 'unified', label: 'Unified' },
          ]}
        />
      </div>
      <div className={styles.body} role="region" aria-label="Inputs and output" tabIndex={0}>
        {row.depth > 0 && (
          <div className={styles.metrics}>
            <MetricsTable project={project} label={`Metrics of ${node.key}`} calls={calls} />
          </div>
        )}
        {a !== undefined && b !== undefined ? (
          <Pair
            project={project}
            a={a}
            b={b}
            comparedIndex={comparedIndex}
            layout={layout}
            ignoresVolatile={!includesVolatile}
          />
        ) : (
          <SingleCall project={project} call={a ?? b} note={missingCallText(row, comparedIndex)} />
        )}
      </div>
    </section>
  )
}

function missingCallText({ node }: CompareRow, comparedIndex: number): string {
  const status = alignmentStatus(node, comparedIndex)
  const letter = columnLetter(comparedIndex)
  if (status === 'removed') return `Only A has this call. It is missing in ${letter}.`
  if (status === 'added') return `Only ${letter} has this call. It is missing in A.`
  return `Neither A nor ${letter} has this call.`
}

interface PairProps {
  readonly project: Project
  readonly a: ComparedCall
  readonly b: ComparedCall
  readonly comparedIndex: number
  readonly layout: DiffLayout
  readonly ignoresVolatile: boolean
}

function Pair({ project, a, b, comparedIndex, layout, ignoresVolatile }: PairProps) {
  const left = useCall(project, a.item.id, endMs(a))
  const right = useCall(project, b.item.id, endMs(b))
  const failed = left.isError ? left : right.isError ? right : undefined
  if (failed !== undefined) return <ErrorNotice error={failed.error} retry={() => void failed.refetch()} />
  if (left.data === undefined || right.data === undefined) return <Loading />
  const shown = { leftName: 'A', rightName: columnLetter(comparedIndex), layout, ignoresVolatile }
  const exceptions = [exceptionText(a.item.exception ?? ''), exceptionText(b.item.exception ?? '')] as const
  return (
    <>
      {exceptions.some((text) => text !== '') && (
        <PayloadSection title="Exception">
          <DiffView left={exceptions[0]} right={exceptions[1]} {...shown} />
        </PayloadSection>
      )}
      <PayloadSection title="Inputs">
        <DocumentDiff left={left.data.documents.inputs} right={right.data.documents.inputs} {...shown} />
      </PayloadSection>
      <PayloadSection title="Output">
        <DocumentDiff left={left.data.documents.output} right={right.data.documents.output} {...shown} />
      </PayloadSection>
    </>
  )
}

/** Maximum characters of a document that are compared line by line. */
const MAX_DIFF_CHARACTERS = 300_000

function DocumentDiff(props: {
  readonly left: JsonSource
  readonly right: JsonSource
  readonly leftName: string
  readonly rightName: string
  readonly layout: DiffLayout
  readonly ignoresVolatile: boolean
}) {
  const { left, right, ...shown } = props
  const leftText = usePrettyText(left)
  const rightText = usePrettyText(right)
  if (leftText === undefined || rightText === undefined) return <Loading />
  const longest = Math.max(left.size, right.size)
  return (
    <>
      {longest > MAX_DIFF_CHARACTERS && (
        <p className={styles.note}>
          This document has {formatBytes(longest)}. Only the first {formatBytes(MAX_DIFF_CHARACTERS)} are
          compared.
        </p>
      )}
      <DiffView left={leftText} right={rightText} {...shown} />
    </>
  )
}

function usePrettyText(source: JsonSource): string | undefined {
  const text = useAsyncValue(() => source.slice(0, Math.min(source.size, MAX_DIFF_CHARACTERS)), [source])
  return useAsyncValue(() => (text === undefined ? undefined : prettyJson(text)), [text])
}

function SingleCall(props: {
  readonly project: Project
  readonly call: ComparedCall | undefined
  readonly note: string
}) {
  return (
    <>
      <p className={styles.note}>{props.note}</p>
      {props.call !== undefined && <SingleCallPayloads project={props.project} call={props.call} />}
    </>
  )
}

function SingleCallPayloads({ project, call }: { readonly project: Project; readonly call: ComparedCall }) {
  const read = useCall(project, call.item.id, endMs(call))
  if (read.isError) return <ErrorNotice error={read.error} retry={() => void read.refetch()} />
  if (read.data === undefined) return <Loading />
  const { inputs, output } = read.data.documents
  return (
    <>
      <PayloadSection title="Inputs" about={formatBytes(inputs.size)}>
        <JsonView source={inputs} name="inputs" />
      </PayloadSection>
      <PayloadSection title="Output" about={formatBytes(output.size)}>
        <JsonView source={output} name="output" />
      </PayloadSection>
    </>
  )
}

function endMs({ item }: ComparedCall): number | undefined {
  return item.ended_at === null ? undefined : preciseMs(item.ended_at)
}

function Loading() {
  return (
    <p className={styles.note} role="status">
      Loading…
    </p>
  )
}
