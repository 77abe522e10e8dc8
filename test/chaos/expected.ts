import type { History } from './history.ts'
import type { Records } from './records.ts'

/** What a reader may see of a call, by what its client knows. */
export type Sight = 'must' | 'may' | 'never'

export function sightOf(history: History, n: number): Sight {
  const start = history.of(n, 'start')
  const deletion = history.of(n, 'deletion')
  if (start === 'nothing' || deletion === 'acked') return 'never'
  return start === 'acked' && deletion === 'nothing' ? 'must' : 'may'
}

export type Fault = 'lost' | 'altered'

/** Compares the bytes of a call as it was answered with what was sent; undefined if all is well. */
export function judge(
  history: History,
  records: Records,
  n: number,
  line: string,
): { fault: Fault; what: string } | undefined {
  if (!line.includes(`"inputs":${records.inputsOf(n)}`)) return { fault: 'altered', what: 'inputs' }
  const outputs = outputsOf(history, records, n)
  if (!outputs.some((output) => line.includes(`"output":${output},`))) {
    return { fault: line.includes('"output":null,') ? 'lost' : 'altered', what: 'output' }
  }
  const names = namesOf(history, records, n)
  if (!names.some((name) => line.includes(`"display_name":${JSON.stringify(name)},`))) {
    return { fault: 'altered', what: `display_name, not ${JSON.stringify(names)}` }
  }
  return undefined
}

/** Every output that a reader may see; usually one. */
function outputsOf(history: History, records: Records, n: number): string[] {
  const possible: string[] = []
  const second = history.of(n, 'second_end')
  if (second !== 'nothing') possible.push(records.outputOf(n, 1))
  if (second === 'acked') return possible
  const first = history.of(n, 'end')
  if (first !== 'nothing') possible.push(records.outputOf(n, 0))
  if (first !== 'acked') possible.push('null')
  return possible
}

function namesOf(history: History, records: Records, n: number): (string | null)[] {
  const possible: (string | null)[] = []
  const second = history.of(n, 'second_name')
  if (second !== 'nothing') possible.push(records.nameOf(n, 1))
  if (second === 'acked') return possible
  const first = history.of(n, 'name')
  if (first !== 'nothing') possible.push(records.nameOf(n, 0))
  if (first !== 'acked') possible.push(records.givenNameOf(n))
  return possible
}
