import type { FactName, History } from './history.ts'
import type { Records } from './records.ts'

/** Whether a reader must, may or must never see a call, given what its client knows. */
export type Visibility = 'must' | 'may' | 'never'

export function expectedVisibility(history: History, n: number): Visibility {
  const starts = [history.stateOf(n, 'start'), history.stateOf(n, 'second_start')]
  const deletion = history.stateOf(n, 'deletion')
  if (starts.every((state) => state === 'nothing') || deletion === 'acked') return 'never'
  return starts.includes('acked') && deletion === 'nothing' ? 'must' : 'may'
}

export type FaultKind = 'lost' | 'altered'

/** Compares the bytes of a call in a response with what was sent; returns undefined if they are as expected. */
export function findFault(
  history: History,
  records: Records,
  n: number,
  line: string,
): { kind: FaultKind; part: string } | undefined {
  const starts = possibleVariants(history, n, 'start', 'second_start')
  if (!starts.some((variant) => line.includes(`"inputs":${records.inputsOf(n, variant)}`))) {
    return { kind: 'altered', part: 'inputs' }
  }
  const outputs = possibleOutputs(history, records, n)
  if (!outputs.some((output) => line.includes(`"output":${output},`))) {
    return { kind: line.includes('"output":null,') ? 'lost' : 'altered', part: 'output' }
  }
  const names = possibleNames(history, records, n)
  if (!names.some((name) => line.includes(`"display_name":${JSON.stringify(name)},`))) {
    return { kind: 'altered', part: `display_name, not ${JSON.stringify(names)}` }
  }
  return undefined
}

/**
 * The variants of a fact that a reader may see, usually one. The last acknowledged wins; one that was sent at the same time
 * or later without an acknowledgement may.
 */
function possibleVariants(history: History, n: number, first: FactName, second: FactName): (0 | 1)[] {
  const variants: (0 | 1)[] = []
  if (history.stateOf(n, first) !== 'nothing') variants.push(0)
  if (history.stateOf(n, second) !== 'nothing') variants.push(1)
  return variants
}

function possibleOutputs(history: History, records: Records, n: number): string[] {
  const possible = possibleVariants(history, n, 'end', 'second_end').map((variant) =>
    records.outputOf(n, variant),
  )
  const isEnded = history.stateOf(n, 'end') === 'acked' || history.stateOf(n, 'second_end') === 'acked'
  return isEnded ? possible : [...possible, 'null']
}

function possibleNames(history: History, records: Records, n: number): (string | null)[] {
  const possible: (string | null)[] = []
  const second = history.stateOf(n, 'second_name')
  if (second !== 'nothing') possible.push(records.nameOf(n, 1))
  if (second === 'acked') return possible
  const first = history.stateOf(n, 'name')
  if (first !== 'nothing') possible.push(records.nameOf(n, 0))
  if (first === 'acked') return possible
  const starts = possibleVariants(history, n, 'start', 'second_start')
  return [...possible, ...starts.map((variant) => records.givenNameOf(n, variant))]
}
