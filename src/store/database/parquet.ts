import type { Readable } from 'node:stream'
import type { ClickHouseSettings } from '@clickhouse/client'
import { parseFailure } from './response-rows.ts'

/** Settings that make Parquet files independent of ClickHouse's version and profile. */
export const PARQUET_SETTINGS: ClickHouseSettings = {
  output_format_parquet_compression_method: 'zstd',
  output_format_parquet_string_as_string: 1,
  // A row group is buffered until it is complete, which delays the first bytes.
  output_format_parquet_row_group_size: '100000',
  output_format_parquet_row_group_size_bytes: '67108864',
}

/** An error message of ClickHouse has a few hundred bytes. */
const TAIL_BYTES = 16_384
const MAGIC = Buffer.from('PAR1')

/**
 * Streams a Parquet file and throws if it is incomplete. ClickHouse may fail after it has sent status 200 and then
 * writes its error message into the body. The tail is therefore held back until the end is verified: a truncated file
 * never looks complete, and error messages of ClickHouse never reach the caller.
 */
export async function* readParquet(response: Readable): AsyncGenerator<Buffer> {
  let tail: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    tail.push(chunk)
    length += chunk.length
    if (length < 2 * TAIL_BYTES) continue
    const known = Buffer.concat(tail)
    const end = known.length - TAIL_BYTES
    yield known.subarray(0, end)
    tail = [known.subarray(end)]
    length = TAIL_BYTES
  }
  const end = Buffer.concat(tail)
  if (!end.subarray(-MAGIC.length).equals(MAGIC)) throw parseFailure(end.toString('latin1'))
  yield end
}
