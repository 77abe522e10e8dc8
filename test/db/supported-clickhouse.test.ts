import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createDatabase } from '../../src/store/database/create-database.ts'
import { testDatabase, testSettings } from '../harness.ts'

/** Creates the database on a ClickHouse with this setting: the client takes settings from the URL. */
async function createWith(setting: string): Promise<void> {
  const target = testDatabase(testSettings())
  await createDatabase({ ...target, url: `${target.url}/?clickhouse_setting_${setting}` })
}

test('ClickHouse Cloud is refused with a sentence', async () => {
  await expect(createWith('cloud_mode=1')).rejects.toThrow(
    /^ClickHouse Cloud is not supported: .* embedded one$/,
  )
})

test('a ClickHouse that lacks a setting of the statements is too old, not unavailable', async () => {
  await expect(createWith('setting_of_a_newer_version=1')).rejects.toThrow(
    /^this ClickHouse is too old: Heddle needs [\d.]+ or newer\. Upgrade ClickHouse$/,
  )
})

test('an address that is not the HTTP interface of ClickHouse is refused in one line', async () => {
  const other = createServer((request, response) => {
    response.statusCode = 404
    response.end(`There is no handle ${request.url}\n\nUse / or /ping for health checks.\n`)
  })
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
  await expect(createDatabase({ ...testDatabase(testSettings()), url })).rejects.toThrow(
    /^http:\/\/[\d.:]+ is not the HTTP interface of ClickHouse \(its response begins with "There is no handle \/"\); use the port of http_port[^\n]*$/,
  )
  other.close()
})
