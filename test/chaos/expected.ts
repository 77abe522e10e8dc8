import type { History } from './history.ts'
import type { Records } from './records.ts'

/** Whether a reader must, may or must never see a call, given what its client knows. */
export type Visibility = 'must' | 'may' | 'never'

export function expectedVisibility(history: History, n: number): Visibility {
  const start = history.stateOf(n, 'start')
  const deletion = history.stateOf(n, 'deletion')
  if (start === 'nothing' || deletion === 'acked') return 'never'
  return start === 'acked' && deletion === 'nothing' ? 'must' : 'may'
}

export type FaultKind = 'lost' | 'altered'

/** Compares the bytes of a call in a response with what was sent; returns undefined if they are as expected. */
export function findFault(
  history: History,
  records: Records,
  n: number,
  line: string,
): { kind: FaultKind; part: string } | undefined {
  if (!line.includes(`"inputs":${records.inputsOf(n)}`)) return { kind: 'altered', part: 'inputs' }
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

/** Every output that a reader may see, usually one. */
function possibleOutputs(history: History, records: Records, n: number): string[] {
  const possible: string[] = []
  const second = history.stateOf(n, 'second_end')
  if (second !== 'nothing') possible.push(records.outputOf(n, 1))
  if (second === 'acked') return possible
  const first = history.stateOf(n, 'end')
  if (first !== 'nothing') possible.push(records.outputOf(n, 0))
  if (first !== 'acked') possible.push('null')
  return possible
}

function possibleNames(history: History, records: Records, n: number): (string | null)[] {
  const possible: (string | null)[] = []
  const second = history.stateOf(n, 'second_name')
  if (second !== 'nothing') possible.push(records.nameOf(n, 1))
  if (second === 'acked') return possible
  const first = history.stateOf(n, 'name')
  if (first !== 'nothing') possible.push(records.nameOf(n, 0))
  if (first !== 'acked') possible.push(records.givenNameOf(n))
  return possible
}
