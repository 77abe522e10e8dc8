import type { RawJson } from '../../contract/raw-json.ts'
import { type Decimal, parseDecimal } from './decimal.ts'
import { find } from '../json/navigate.ts'

/** Costs reported with a call, as opposed to costs computed from prices. */

/** The store's type is Decimal(76, 36). Further digits are truncated; larger values are ignored. */
const REPORTED_SCALE = 36
const COST_LIMIT = 10n ** BigInt(REPORTED_SCALE + 30)

/**
 * Keys of an entry of `summary.usage`; the first one found counts. litellm and users write the first, OpenRouter
 * the second.
 */
export const REPORTED_IN_USAGE = ['total_cost', 'cost'] as const

/** Attributes, nested or with dotted keys: the conventions of OpenTelemetry and of OpenInference. */
export const REPORTED_IN_ATTRIBUTES = ['gen_ai.usage.cost', 'llm.cost.total'] as const

export function reportedInUsage(entry: RawJson): Decimal | undefined {
  return firstCost(
    REPORTED_IN_USAGE.map((name) => [name]),
    entry,
  )
}

export function reportedInAttributes(attributes: RawJson): Decimal | undefined {
  const paths = REPORTED_IN_ATTRIBUTES.flatMap((name) => [[name], name.split('.')])
  return firstCost(paths, attributes)
}

function firstCost(paths: readonly (readonly string[])[], document: RawJson): Decimal | undefined {
  for (const path of paths) {
    let found: RawJson | undefined = document
    for (const key of path) found = found === undefined ? undefined : find(found, key)
    const cost = found === undefined ? undefined : toStoredScale(found.text)
    if (cost !== undefined) return cost
  }
  return undefined
}

function toStoredScale(text: string): Decimal | undefined {
  const cost = parseDecimal(text)
  if (cost === undefined) return undefined
  const power = cost.scale - REPORTED_SCALE
  const digits = power > 0 ? cost.digits / 10n ** BigInt(power) : cost.digits * 10n ** BigInt(-power)
  return digits > -COST_LIMIT && digits < COST_LIMIT ? { digits, scale: REPORTED_SCALE } : undefined
}
