import type { Database } from '../database/database.ts'
import { from } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'

/** The names of the members of a table's rows, in the order in which they first occur. */
export async function listMemberNames(
  db: Database,
  project_id: string,
  digest: string,
  limit: number,
): Promise<string[]> {
  const rows = await db.rows<{ name: string }>(selectMemberNames(project_id, digest, limit), {
    name: 'table member names',
    kind: 'export',
  })
  return rows.map(({ name }) => name)
}

export function selectMemberNames(project_id: string, digest: string, limit: number): Sql {
  const table = sql`SELECT row_digests ${from(project_id, 'data_tables')} AND digest = ${digest}`
  return sql`SELECT name FROM (
  SELECT member.1 AS name, min((row_position, member.2)) AS first_seen
  FROM (SELECT digest AS row_digest, arrayJoin(arrayZip(JSONExtractKeys(val) AS names, arrayEnumerate(names))) AS member
    ${from(project_id, 'table_rows')} AND digest IN (SELECT arrayJoin(row_digests) FROM (${table}))) AS stored
  INNER JOIN (SELECT row_digest, row_position FROM (${table})
    ARRAY JOIN row_digests AS row_digest, arrayEnumerate(row_digests) AS row_position) AS listed USING (row_digest)
  GROUP BY name)
ORDER BY first_seen LIMIT ${limit}`
}
