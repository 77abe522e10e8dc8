import { findRunningClickHouse } from '../../../src/clickhouse/running.ts'

/** Reads the tables of a running server in ClickHouse itself, beside the API. */
export interface ClickHouseAccess {
  readonly url: string
  readonly username: string
  readonly password: string
}

export async function embeddedAccess(dataDirectory: string): Promise<ClickHouseAccess> {
  const running = await findRunningClickHouse(dataDirectory)
  if (running === undefined) throw new Error(`no ClickHouse is running in ${dataDirectory}`)
  return running
}

export async function query<Row>(access: ClickHouseAccess, text: string): Promise<Row[]> {
  const response = await fetch(access.url, {
    method: 'POST',
    headers: { 'x-clickhouse-user': access.username, 'x-clickhouse-key': access.password },
    body: text.startsWith('SELECT ') ? `${text} FORMAT JSONEachRow` : text,
  })
  const body = await response.text()
  if (!response.ok) throw new Error(`${text}: ${body}`)
  return body
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
}

/** `live_log` does not survive a restore; requests change `key_uses`, and background jobs the logs of jobs. */
const UNCOMPARED = new Set(['live_log', 'key_uses', 'job_claims', 'job_runs'])

/** Number of rows and a hash over all columns of every table, as readers see it. */
export async function tableChecksums(
  access: ClickHouseAccess,
  database = 'heddle',
): Promise<Record<string, string>> {
  const tables = await query<{ name: string; engine: string }>(
    access,
    `SELECT name, engine FROM system.tables WHERE database = '${database}' AND engine LIKE '%MergeTree' ORDER BY name`,
  )
  const checksums: Record<string, string> = {}
  for (const { name, engine } of tables) {
    if (UNCOMPARED.has(name)) continue
    const final = engine === 'MergeTree' ? '' : 'FINAL'
    // Entries of call_ids whose row was replaced need not come back: the ids and where they are must.
    const columns = name === 'call_ids' ? 'DISTINCT project_id, id, is_part' : '*'
    const [row] = await query<{ rows: string; hash: string }>(
      access,
      `SELECT toString(count()) AS rows, toString(sum(cityHash64(*))) AS hash FROM (SELECT ${columns} FROM ${database}.${name} ${final})`,
    )
    checksums[name] = `${row?.rows} rows, hash ${row?.hash}`
  }
  return checksums
}
