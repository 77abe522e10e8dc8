import type { Readable } from 'node:stream'
import type { ClickHouseSettings } from '@clickhouse/client'
import { failureOf } from './response-rows.ts'

/** The same files whatever the version and the profile of the engine. */
export const PARQUET_SETTINGS: ClickHouseSettings = {
  output_format_parquet_compression_method: 'zstd',
  output_format_parquet_string_as_string: 1,
  // A row group is kept in memory until it is whole, so the first bytes wait for it.
  output_format_parquet_row_group_size: '100000',
  output_format_parquet_row_group_size_bytes: '67108864',
}

/** An error of the engine is a few hundred bytes. */
const HELD_BYTES = 16_384
const MAGIC = Buffer.from('PAR1')

/**
 * The bytes of a Parquet file as they arrive; throws unless it is whole. The engine may fail after it has said 200,
 * and then writes its error where the file should go on. So the end is held back until it is known to be one: neither
 * does a cut file look whole, nor does what the engine said about itself reach whoever asked.
 */
export async function* wholeParquet(answer: Readable): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let length = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    held.push(chunk)
    length += chunk.length
    if (length < 2 * HELD_BYTES) continue
    const known = Buffer.concat(held)
    const end = known.length - HELD_BYTES
    yield known.subarray(0, end)
    held = [known.subarray(end)]
    length = HELD_BYTES
  }
  const end = Buffer.concat(held)
  if (!end.subarray(-MAGIC.length).equals(MAGIC)) throw failureOf(end.toString('latin1'))
  yield end
}
