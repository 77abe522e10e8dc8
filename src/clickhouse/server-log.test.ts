import { expect, test } from 'vitest'
import { readServerErrors, type ServerError } from './server-log.ts'

const START = '2026.11.17 15:28:54.477751 [ 8636 ]'

/** The errors in an output that arrives in chunks of this size. */
function errorsIn(output: string, chunkBytes = 1_000): ServerError[] {
  const errors: ServerError[] = []
  const read = readServerErrors((error) => errors.push(error))
  const bytes = Buffer.from(output)
  for (let at = 0; at < bytes.length; at += chunkBytes) read(bytes.subarray(at, at + chunkBytes))
  return errors
}

const BROKEN_PART = `${START} {} <Error> heddle.calls (fbff1de4): Part store/fbf/202611_2_2_1/ is broken and needs manual correction. Reason: Code: 228. DB::Exception: data.bin has unexpected size: 1000 instead of 12880: columns
48 columns:
\`project_id\` LowCardinality(String), Stack trace (when copying this message, always include the lines below):

0. ? @ 0x000000001c8fa4b3
`

test('an error of ClickHouse is one entry, however its output is cut', () => {
  for (const chunkBytes of [1, 7, 10_000]) {
    expect(errorsIn(`heddle: locked\n${BROKEN_PART}`, chunkBytes)).toEqual([
      {
        level: 'error',
        source: 'heddle.calls (fbff1de4)',
        message:
          'Part store/fbf/202611_2_2_1/ is broken and needs manual correction. Reason: Code: 228. DB::Exception: data.bin has unexpected size: 1000 instead of 12880: columns',
      },
    ])
  }
})

test('errors of queries and warnings are not entries', () => {
  const output = `${START} {7b67-18} <Error> executeQuery: Code: 6. DB::Exception: Cannot parse string 'x' (in query: SELECT 1)
${START} {7b67-18} <Error> DynamicQueryHandler: Code: 6. DB::Exception: Cannot parse string 'x'
${START} {} <Warning> BackgroundSchedulePool/BgSchPool: Temporarily pause scheduling
`
  expect(errorsIn(output)).toEqual([])
})

test('values, stack traces and control characters are left out', () => {
  const output = `${START} {} <Fatal> BaseDaemon: Code: 6. DB::Exception: Cannot parse string 'it\\'s the text of a user' as "Float64" \u001b[31m, Stack trace (when copying this message): 0. main\n`
  expect(errorsIn(output)).toEqual([
    {
      level: 'fatal',
      source: 'BaseDaemon',
      message: 'Code: 6. DB::Exception: Cannot parse string \'…\' as "…"  [31m',
    },
  ])
})

test('a value that continues in the next line is left out; an apostrophe is not a quote', () => {
  const output = `${START} {} <Error> Merge: Checksum doesn't match: corrupted data. Cannot parse string 'secret\nsecret too'\n`
  expect(errorsIn(output)[0]?.message).toBe("Checksum doesn't match: corrupted data. Cannot parse string '…'")
})

test('long lines are cut', () => {
  const [error] = errorsIn(`${START} {} <Error> Merge: ${'x'.repeat(1_000_000)}\n${BROKEN_PART}`)
  expect(error?.message).toHaveLength(401)
  expect(errorsIn(`${'x'.repeat(1_000_000)}\n${BROKEN_PART}`)).toHaveLength(1)
})
