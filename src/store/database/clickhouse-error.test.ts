import { ClickHouseError } from '@clickhouse/client'
import { expect, test } from 'vitest'
import { ApiError } from '../../contract/api-error.ts'
import { isTransient, toApiError } from './clickhouse-error.ts'

const error = (type: string, message: string): ClickHouseError =>
  new ClickHouseError({ code: '32', type, message })

test('a response of another shard that broke off can be retried, damaged data on disk cannot', () => {
  for (const type of ['ATTEMPT_TO_READ_AFTER_EOF', 'CANNOT_READ_ALL_DATA']) {
    const fromShard = error(
      type,
      `Cannot read: while receiving packet from 10.0.0.2:9000: While executing Remote.`,
    )
    expect(isTransient(fromShard)).toBe(true)
    expect(toApiError(fromShard)).toMatchObject({ code: 'unavailable' })
    const fromDisk = error(type, 'Cannot read: (while reading column inputs)')
    expect(isTransient(fromDisk)).toBe(false)
    expect(toApiError(fromDisk)).not.toBeInstanceOf(ApiError)
  }
})
