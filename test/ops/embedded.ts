import assert from 'node:assert/strict'
import { findRunningClickHouse } from '../../src/clickhouse/running.ts'

/** Runs a statement in the embedded ClickHouse of the server that runs on this data directory. */
export async function executeIn(data: string, statement: string): Promise<string> {
  const clickhouse = await findRunningClickHouse(data)
  assert.ok(clickhouse !== undefined, 'no ClickHouse is running')
  const response = await fetch(clickhouse.url, {
    method: 'POST',
    headers: { 'x-clickhouse-user': clickhouse.username, 'x-clickhouse-key': clickhouse.password },
    body: statement,
  })
  const text = await response.text()
  assert.equal(response.status, 200, text)
  return text
}
