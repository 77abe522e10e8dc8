import { RawJson } from '../../contract/raw-json.ts'
import { find } from '../../core/json/navigate.ts'
import { reportedInAttributes } from '../../core/costs/reported-cost.ts'
import { type Tokens, type UsageEntry, usageEntries } from '../../core/costs/usage.ts'
import { RowReader, type RowWriter } from '../database/row-binary.ts'

/**
 * The columns `usage` and `usage_kept` of a row: its usage by model, so that sums need not read summaries. What does not
 * fit is left in the summary, and the row says so.
 */
export function writeUsage(writer: RowWriter, start: Buffer, end: Buffer | undefined): void {
  const entries = end === undefined ? [] : entriesOf(start, end)
  if (entries === undefined) {
    writer.varint(0).u8(0)
    return
  }
  writer.varint(entries.length)
  for (const { model, tokens, isTotalTold, reported } of entries) {
    writer.string(model).u32(Number(tokens.prompt)).u32(Number(tokens.completion))
    if (isTotalTold) writer.u8(0).u32(Number(tokens.total))
    else writer.u8(1)
    writer.u32(Number(tokens.cacheRead)).u32(Number(tokens.cacheCreation)).u32(Number(tokens.plainPrompt))
    if (reported === undefined) writer.u8(1)
    else writer.u8(0).i256(reported.digits)
  }
  writer.u8(1)
}

/** For rows that show nothing. */
export function writeNoUsage(writer: RowWriter): void {
  writer.varint(0).u8(1)
}

const MAX_MODELS = 64
const MAX_COUNT = 0xffff_ffffn
const USAGE_KEY = Buffer.from('"usage"')
const COST = Buffer.from('cost')
const NONE: readonly UsageEntry[] = []

/** undefined: the summary must be asked. */
function entriesOf(start: Buffer, end: Buffer): readonly UsageEntry[] | undefined {
  const endRow = new RowReader(end)
  const summary = endRow.skipNullableI64().skipNullableString().skipStrings(1).bytes()
  // Most calls are not of models. A key may be spelled with escapes.
  if (!summary.includes(USAGE_KEY) && !summary.includes(0x5c)) return NONE
  // output_refs, wb_run_step_end, output_query_form
  const queryForm = endRow.skipStrings().skipNullableI64().skipStrings(1).bytes()
  // What the engine reads in another form, it would count otherwise.
  if (queryForm.length > 0) return undefined
  const entries = usageEntries(find(RawJson.fromBytes(summary), 'usage'))
  if (entries.length > MAX_MODELS || !entries.every(({ tokens }) => isSmall(tokens))) return undefined
  const [only] = entries
  if (only === undefined || entries.length > 1 || only.reported !== undefined) return entries
  return [{ ...only, reported: reportedBeside(start) }]
}

function isSmall(tokens: Tokens): boolean {
  const { prompt, completion, total, cacheRead, cacheCreation, plainPrompt } = tokens
  return [prompt, completion, total, cacheRead, cacheCreation, plainPrompt].every(
    (count) => count >= 0n && count <= MAX_COUNT,
  )
}

/** A cost in the attributes is that of the one model there is. */
function reportedBeside(start: Buffer): UsageEntry['reported'] {
  const attributes = new RowReader(start).skip(8).skipStrings(7).skipNullableI64().bytes()
  return attributes.includes(COST) ? reportedInAttributes(RawJson.fromBytes(attributes)) : undefined
}
