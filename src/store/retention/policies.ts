import type { RetentionPolicy } from '../../core/retention/retention-policy.ts'
import type { Database } from '../database/database.ts'
import { from, fromAllProjects } from '../query/scope.ts'
import { type Sql, sql } from '../query/sql.ts'

/** The retention policies of projects. */
export interface PolicyRow extends RetentionPolicy {
  readonly project_id: string
  readonly changed_by: string
  readonly changed_at: string
}

type PolicyWrite = PolicyRow & { readonly is_deleted: 0 | 1 }

/** 64-bit integers are text in JSON. */
type PolicyJson = {
  readonly [Name in keyof PolicyRow]: PolicyRow[Name] extends number | null ? string | null : PolicyRow[Name]
}

const COLUMNS = sql`project_id, calls_max_age_seconds, calls_max_bytes, payloads_max_age_seconds, payloads_max_bytes, keep_tags, changed_by, changed_at`

export async function listPolicies(db: Database): Promise<PolicyRow[]> {
  const rows = await db.rows<PolicyJson>(selectPolicies, { name: 'retention policies', kind: 'access' })
  return rows.map(parsePolicy)
}

/** For the job, which serves all projects, and for the command line. */
export const selectPolicies: Sql = sql`SELECT ${COLUMNS} ${fromAllProjects('retention_policies')} FINAL ORDER BY project_id`

export async function findPolicy(db: Database, project_id: string): Promise<PolicyRow | undefined> {
  const row = await db.first<PolicyJson>(selectPolicy(project_id), {
    name: 'retention policy',
    kind: 'point',
  })
  return row && parsePolicy(row)
}

export function selectPolicy(project_id: string): Sql {
  return sql`SELECT ${COLUMNS} ${from(project_id, 'retention_policies')}`
}

export async function writePolicy(db: Database, row: PolicyWrite): Promise<void> {
  await db.insert('retention_policies', [row])
}

function parsePolicy(row: PolicyJson): PolicyRow {
  return {
    ...row,
    calls_max_age_seconds: toNumber(row.calls_max_age_seconds),
    calls_max_bytes: toNumber(row.calls_max_bytes),
    payloads_max_age_seconds: toNumber(row.payloads_max_age_seconds),
    payloads_max_bytes: toNumber(row.payloads_max_bytes),
  }
}

function toNumber(text: string | null): number | null {
  return text === null ? null : Number(text)
}
