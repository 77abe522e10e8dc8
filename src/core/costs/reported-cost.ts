import type { RawJson } from '../../contract/raw-json.ts'
import { type Decimal, parseDecimal } from './decimal.ts'
import { find } from '../json/navigate.ts'

/** Costs that were reported with a call, beside those that prices make of its tokens. */

/** As the store keeps them: Decimal(76, 36). Digits behind these are cut off, and larger ones are no costs. */
const REPORTED_SCALE = 36
const LIMIT = 10n ** BigInt(REPORTED_SCALE + 30)

/** In an entry of `summary.usage`, the first that is there: litellm and people write the one, OpenRouter the other. */
export const REPORTED_IN_USAGE = ['total_cost', 'cost'] as const

/** In attributes, as keys within keys or with the dots in one key: OpenTelemetry's word, and OpenInference's. */
export const REPORTED_IN_ATTRIBUTES = ['gen_ai.usage.cost', 'llm.cost.total'] as const

export function reportedOf(entry: RawJson): Decimal | undefined {
  return firstOf(
    REPORTED_IN_USAGE.map((name) => [name]),
    entry,
  )
}

export function reportedInAttributes(attributes: RawJson): Decimal | undefined {
  const places = REPORTED_IN_ATTRIBUTES.flatMap((name) => [[name], name.split('.')])
  return firstOf(places, attributes)
}

function firstOf(places: readonly (readonly string[])[], document: RawJson): Decimal | undefined {
  for (const place of places) {
    let found: RawJson | undefined = document
    for (const key of place) found = found === undefined ? undefined : find(found, key)
    const cost = found === undefined ? undefined : kept(found.text)
    if (cost !== undefined) return cost
  }
  return undefined
}

function kept(text: string): Decimal | undefined {
  const cost = parseDecimal(text)
  if (cost === undefined) return undefined
  const power = cost.scale - REPORTED_SCALE
  const digits = power > 0 ? cost.digits / 10n ** BigInt(power) : cost.digits * 10n ** BigInt(-power)
  return digits > -LIMIT && digits < LIMIT ? { digits, scale: REPORTED_SCALE } : undefined
}
