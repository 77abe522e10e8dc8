import { expect, test } from 'vitest'
import { TESTED_VERSION } from './clickhouse-client.ts'
import { type ServerKind, unsupportedReason } from './supported-clickhouse.ts'

const server = (changes: Partial<ServerKind>): ServerKind => ({
  version: `${TESTED_VERSION}.2.1`,
  cloud_mode: '0',
  shared_tables: 0,
  ...changes,
})

test.each(['25.12.1.1', '26.6.9.1', '26', '9.9.9.9', ''])('ClickHouse "%s" is too old', (version) => {
  expect(unsupportedReason(server({ version }))).toContain(`needs ${TESTED_VERSION} or newer`)
})

test.each(['26.7.0.1', '26.10.1.1', '27.1.1.1'])('ClickHouse %s is accepted', (version) => {
  expect(unsupportedReason(server({ version }))).toBeUndefined()
})

test.each<Partial<ServerKind>>([{ cloud_mode: '1' }, { shared_tables: 1 }])(
  'ClickHouse Cloud is refused: %j',
  (changes) => {
    expect(unsupportedReason(server(changes))).toContain('ClickHouse Cloud is not supported')
  },
)
