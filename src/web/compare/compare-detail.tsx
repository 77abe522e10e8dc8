import { SegmentedControl } from '@mantine/core'
import type { Project } from '../api/project.ts'
import { PayloadSection } from '../call/payload-section.tsx'
import { useCall } from '../call/use-call.ts'
import { type DiffLayout, DiffView } from '../diff/diff-view.tsx'
import { prettyJson } from '../diff/pretty-json.ts'
import type { JsonSource } from '../json/json-source.ts'
import { JsonView } from '../json/json-view.tsx'
import { useAnswer } from '../json/use-response.ts'
import { Failure } from '../ui/failure.tsx'
import { formatBytes } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import { preciseMs } from '../time/format.ts'
import { placeOf } from './align.ts'
import styles from './compare-detail.module.css'
import type { CompareRow } from './compare-rows.ts'
import { letterOf } from './compare-search.ts'
import type { ComparedCall } from './compared-call.ts'
import { FactsTable } from './facts-table.tsx'

interface Props {
  readonly project: Project
  readonly row: CompareRow
  /** How many calls are compared, and which of them stands beside the first. */
  readonly count: number
  readonly beside: number
  readonly layout: DiffLayout
  readonly onBeside: (n: number) => void
  readonly onLayout: (layout: DiffLayout) => void
}

/** One place of the structure: its numbers in every trace, and what two of them took and gave, line by line. */
export function CompareDetail({ project, row, count, beside, layout, onBeside, onLayout }: Props) {
  const { node } = row
  const a = node.calls[0]
  const b = node.calls[beside]
  const calls = Array.from({ length: count }, (_, n) => node.calls[n]?.facts)
  return (
    <section className={styles.detail} aria-label={`${node.key} compared`}>
      <div className={styles.head}>
        <h2 className={`${styles.title} foreign`}>{visibleText(node.key)}</h2>
        <span className={styles.space} />
        {count > 2 && (
          <SegmentedControl
            aria-label="Whose text is compared"
            value={String(beside)}
            onChange={(value) => onBeside(Number(value))}
            data={Array.from({ length: count - 1 }, (_, n) => ({
              value: String(n + 1),
              label: `A – ${letterOf(n + 1)}`,
            }))}
          />
        )}
        <SegmentedControl
          aria-label="How text is compared"
          value={layout}
          onChange={(value) => onLayout(value === 'unified' ? 'unified' : 'split')}
          data={[
            { value: 'split', label: 'Side by side' },
            { value: 'unified', label: 'One column' },
          ]}
        />
      </div>
      <div className={styles.body} role="region" aria-label="What the calls took and gave" tabIndex={0}>
        {row.depth > 0 && (
          <div className={styles.facts}>
            <FactsTable project={project} label={`Numbers of ${node.key}`} calls={calls} />
          </div>
        )}
        {a !== undefined && b !== undefined ? (
          <Pair project={project} a={a} b={b} beside={beside} layout={layout} />
        ) : (
          <Alone project={project} call={a ?? b} note={aloneText(row, beside)} />
        )}
      </div>
    </section>
  )
}

function aloneText({ node }: CompareRow, beside: number): string {
  const place = placeOf(node, beside)
  if (place === 'removed') return `Only A has this call: ${letterOf(beside)} went without it.`
  if (place === 'added') return `Only ${letterOf(beside)} has this call: A went without it.`
  return `Neither A nor ${letterOf(beside)} has this call.`
}

interface PairProps {
  readonly project: Project
  readonly a: ComparedCall
  readonly b: ComparedCall
  readonly beside: number
  readonly layout: DiffLayout
}

function Pair({ project, a, b, beside, layout }: PairProps) {
  const left = useCall(project, a.facts.id, endOf(a))
  const right = useCall(project, b.facts.id, endOf(b))
  const failed = left.isError ? left : right.isError ? right : undefined
  if (failed !== undefined) return <Failure error={failed.error} retry={() => void failed.refetch()} />
  if (left.data === undefined || right.data === undefined) return <Waiting />
  const shown = { leftName: 'A', rightName: letterOf(beside), layout }
  const exceptions = [a.facts.exception ?? '', b.facts.exception ?? ''] as const
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

/** More of a document is not compared line by line: what a person can read of a difference is long over by then. */
const MOST_CHARACTERS = 300_000

function DocumentDiff(props: {
  readonly left: JsonSource
  readonly right: JsonSource
  readonly leftName: string
  readonly rightName: string
  readonly layout: DiffLayout
}) {
  const { left, right, ...shown } = props
  const leftText = useLines(left)
  const rightText = useLines(right)
  if (leftText === undefined || rightText === undefined) return <Waiting />
  const longest = Math.max(left.size, right.size)
  return (
    <>
      {longest > MOST_CHARACTERS && (
        <p className={styles.note}>
          {formatBytes(longest)} is more than can be compared here: these are the first{' '}
          {formatBytes(MOST_CHARACTERS)}.
        </p>
      )}
      <DiffView left={leftText} right={rightText} {...shown} />
    </>
  )
}

function useLines(source: JsonSource): string | undefined {
  const text = useAnswer(() => source.slice(0, Math.min(source.size, MOST_CHARACTERS)), [source])
  return useAnswer(() => (text === undefined ? undefined : prettyJson(text)), [text])
}

function Alone(props: {
  readonly project: Project
  readonly call: ComparedCall | undefined
  readonly note: string
}) {
  return (
    <>
      <p className={styles.note}>{props.note}</p>
      {props.call !== undefined && <AlonePayloads project={props.project} call={props.call} />}
    </>
  )
}

function AlonePayloads({ project, call }: { readonly project: Project; readonly call: ComparedCall }) {
  const read = useCall(project, call.facts.id, endOf(call))
  if (read.isError) return <Failure error={read.error} retry={() => void read.refetch()} />
  if (read.data === undefined) return <Waiting />
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

/** A running call is read anew when it has ended. */
function endOf({ facts }: ComparedCall): number | undefined {
  return facts.ended_at === null ? undefined : preciseMs(facts.ended_at)
}

function Waiting() {
  return (
    <p className={styles.note} role="status">
      Reading…
    </p>
  )
}
