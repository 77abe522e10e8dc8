import type { Call } from '../../contract/calls/calls.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { find, stringValue } from '../../core/json/navigate.ts'
import { valueDigest } from '../../core/objects/digest.ts'

import type { Deps } from '../deps.ts'
import { parseOwnRef, resolveRefs } from '../objects/ref-resolution.ts'

/** Dataset rows of trials: their digests and contents. */

/** The dataset row that a trial evaluated, or a ref to it. */
export function trialExample(trial: Call): RawJson | undefined {
  return find(trial.inputs, 'example')
}

/** The digest of a dataset row. It is the same whether the trial recorded a ref to the row or its content. */
export function rowDigest(example: RawJson | undefined): string {
  const text = example === undefined ? undefined : stringValue(example)
  const digest = text === undefined ? undefined : /\/attr\/rows\/id\/([^/]+)$/.exec(text)?.[1]
  return digest ?? valueDigest(example ?? RawJson.fromText('null'))
}

/** Replaces refs by the rows they point at, where these exist in the same project. */
export async function resolveRows(
  deps: Deps,
  project_id: string,
  examples: readonly (RawJson | undefined)[],
): Promise<(RawJson | undefined)[]> {
  const refs = examples.flatMap((example, i) => {
    const text = example === undefined ? undefined : stringValue(example)
    const ref = parseOwnRef(text, project_id)
    return ref === undefined ? [] : [{ i, ref }]
  })
  const values = await resolveRefs(
    deps,
    refs.map(({ ref }) => ref),
  )
  const resolved = [...examples]
  for (const [n, { i }] of refs.entries()) resolved[i] = values[n] ?? resolved[i]
  return resolved
}
