import type { Right } from '../../contract/operation.ts'

/** Roles, ordered: `admin` implies `write`, `write` implies `read`. */
const RANK: Readonly<Record<Right, number>> = { read: 1, write: 2, admin: 3 }

export const ROLES = ['read', 'write', 'admin'] as const satisfies readonly Right[]

export function isRole(text: string): text is Right {
  return Object.hasOwn(RANK, text)
}

export function implies(role: Right | undefined, right: Right): boolean {
  return role !== undefined && RANK[role] >= RANK[right]
}

/** Splits `entity/project`. */
export function splitProjectId(project_id: string): { entity: string; project: string } {
  const slash = project_id.indexOf('/')
  return { entity: project_id.slice(0, slash), project: project_id.slice(slash + 1) }
}
