import { RawJson } from '../../../contract/raw-json.ts'
import { reportedInAttributes } from '../../../core/costs/reported-cost.ts'
import { type Tokens, type UsageEntry, usageEntries } from '../../../core/costs/usage.ts'
import { find } from '../../../core/json/navigate.ts'
import type { CallPayloads } from './call-payloads.ts'

const MAX_MODELS = 64
const MAX_COUNT = 0xffff_ffffn
const USAGE_KEY = Buffer.from('"usage"')
const COST = Buffer.from('cost')
const BACKSLASH = 0x5c
const NONE: readonly UsageEntry[] = []

/**
 * The column `usage` of a row: the usage by model, so that aggregates need not read summaries. Undefined if it does not
 * fit the column, so that readers must read the summary; `usage_extracted` is 0 then.
 */
export function extractUsage({ attributes, summary }: CallPayloads): readonly UsageEntry[] | undefined {
  if (summary === undefined) return NONE
  const { document, isNormalized } = summary
  // Most calls have no usage. A key may contain escapes.
  if (!document.includes(USAGE_KEY) && !document.includes(BACKSLASH)) return NONE
  // ClickHouse reads the normalized document and might get other counts than we do.
  if (isNormalized) return undefined
  const entries = usageEntries(find(RawJson.fromBytes(document), 'usage'))
  if (entries.length > MAX_MODELS || !entries.every(({ tokens }) => isSmall(tokens))) return undefined
  const [only] = entries
  if (only === undefined || entries.length > 1 || only.reported !== undefined) return entries
  const reported = reportedInCall(attributes.document)
  return reported === undefined ? entries : [{ ...only, reported }]
}

function isSmall({ prompt, completion, total, cacheRead, cacheCreation, plainPrompt }: Tokens): boolean {
  return (
    fits(prompt) &&
    fits(completion) &&
    fits(total) &&
    fits(cacheRead) &&
    fits(cacheCreation) &&
    fits(plainPrompt)
  )
}

function fits(count: bigint): boolean {
  return count >= 0n && count <= MAX_COUNT
}

/** A cost in the attributes applies if the call used exactly one model. */
function reportedInCall(attributes: Buffer): UsageEntry['reported'] {
  return attributes.includes(COST) ? reportedInAttributes(RawJson.fromBytes(attributes)) : undefined
}
