import { ApiError } from '../../contract/api-error.ts'
import { type ObjectRef, type Ref, type RefStep, parseRef } from '../../contract/objects/ref.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { find, item, stringValue } from '../../core/json/navigate.ts'
import { type Content, contentKey, findContents } from '../../store/objects/objects.ts'
import { streamRows } from '../../store/objects/tables.ts'
import type { Deps } from '../deps.ts'

/** Resolves refs to values, following refs inside values. */

/** Maximum length of a chain of refs. Content cannot refer to itself, so only a deliberately built chain is longer. */
const MAX_REF_DEPTH = 64

/** Parses a ref to an object or op of this project. Ignores refs into other projects: permission was not checked. */
export function parseOwnRef(text: string | undefined, project_id: string): ObjectRef | undefined {
  const ref = text === undefined ? undefined : parseRef(text)
  return ref !== undefined && 'name' in ref && ref.project_id === project_id ? ref : undefined
}

/** Bytes of values that may still be read. Values beyond them count as missing. */
export interface ReadBudget {
  remainingBytes: number
}

/** Resolves refs, in their order; undefined where there is no value. */
export async function resolveRefs(
  deps: Pick<Deps, 'db'>,
  refs: readonly ObjectRef[],
  budget?: ReadBudget,
): Promise<(RawJson | undefined)[]> {
  return (await resolveAll(deps, refs, 'skip', budget)).map((resolution) => resolution.value)
}

/** Whether an object that does not exist fails the whole request. */
type IfMissing = 'fail' | 'skip'

export async function resolveAll(
  deps: Pick<Deps, 'db'>,
  refs: readonly ObjectRef[],
  ifMissing: IfMissing,
  budget?: ReadBudget,
): Promise<RefResolution[]> {
  const resolutions = refs.map((ref) => new RefResolution(ref))
  const isPending = (): boolean => resolutions.some(({ pendingRef }) => pendingRef !== undefined)
  for (let depth = 0; depth < MAX_REF_DEPTH && isPending(); depth++) {
    await resolvePending(deps, resolutions, ifMissing, budget)
  }
  return resolutions
}

/** The resolution of one ref: it has a value, or waits for the value of another ref. */
class RefResolution {
  readonly project_id: string
  pendingRef: Ref | undefined
  value: RawJson | undefined

  constructor(ref: Ref) {
    this.project_id = ref.project_id
    this.pendingRef = ref
  }

  /** Continues from the value of the pending ref; undefined if there is none. */
  resolveTo(value: RawJson | undefined, path: readonly RefStep[]): void {
    this.pendingRef = undefined
    this.value = value
    for (const [i, step] of path.entries()) {
      if (this.value === undefined) return
      const ref = refIn(this.value)
      if (ref !== undefined) {
        this.#follow(ref, path.slice(i))
        return
      }
      this.value = stepInto(this.value, step)
    }
  }

  /** Follows refs within the project only: the caller's permission on other projects was not checked. */
  #follow(ref: Ref, rest: readonly RefStep[]): void {
    this.value = undefined
    if (ref.project_id === this.project_id) this.pendingRef = { ...ref, path: [...ref.path, ...rest] }
  }
}

function refIn(value: RawJson): Ref | undefined {
  const text = stringValue(value)
  return text === undefined ? undefined : parseRef(text)
}

function stepInto(value: RawJson, step: RefStep): RawJson | undefined {
  if (step.by === 'attr' || step.by === 'key') return find(value, step.name)
  if (step.by === 'index' && /^\d{1,9}$/.test(step.name)) return item(value, Number(step.name))
  // Only table rows have ids.
  return undefined
}

/** Resolves all pending refs, project by project, with one statement per kind of ref. */
async function resolvePending(
  deps: Pick<Deps, 'db'>,
  resolutions: readonly RefResolution[],
  ifMissing: IfMissing,
  budget: ReadBudget | undefined,
): Promise<void> {
  const pending = resolutions.filter((resolution) => resolution.pendingRef !== undefined)
  for (const project_id of new Set(pending.map((resolution) => resolution.project_id))) {
    const inProject = pending.filter((resolution) => resolution.project_id === project_id)
    await resolveObjects(deps, project_id, inProject, ifMissing, budget)
    await resolveRows(deps, project_id, inProject, budget)
    // Other refs in values (calls, files) have no value here.
    for (const resolution of inProject)
      if (resolution.pendingRef?.kind === 'call' || resolution.pendingRef?.kind === 'file')
        resolution.resolveTo(undefined, [])
  }
}

async function resolveObjects(
  { db }: Pick<Deps, 'db'>,
  project_id: string,
  resolutions: readonly RefResolution[],
  ifMissing: IfMissing,
  budget: ReadBudget | undefined,
): Promise<void> {
  const targets = resolutions.flatMap((resolution) => {
    const ref = resolution.pendingRef
    return ref?.kind === 'object' || ref?.kind === 'op'
      ? [{ resolution, ref, key: { object_id: ref.name, digest: ref.digest } }]
      : []
  })
  if (targets.length === 0) return
  const contents = await findContents(
    db,
    project_id,
    targets.map((target) => target.key),
    budget && Math.max(0, budget.remainingBytes),
  )
  for (const { val } of contents.values()) charge(budget, val.size)
  const missing = targets.filter(({ key }) => !contents.has(contentKey(key))).map(({ ref }) => ref)
  if (missing.length > 0 && ifMissing === 'fail') throw missingObjects(missing)
  for (const { resolution, ref, key } of targets)
    resolution.resolveTo(liveValue(contents.get(contentKey(key))), ref.path)
}

function liveValue(content: Content | undefined): RawJson | undefined {
  return content?.is_alive === true ? content.val : undefined
}

function missingObjects(refs: readonly ObjectRef[]): ApiError {
  const digests = [...new Set(refs.map((ref) => ref.digest))]
  const names = [...new Set(refs.map((ref) => `${ref.name}:${ref.digest}`))]
  return new ApiError('not_found', `Obj ${names.slice(0, 5).join(', ')} not found`, {
    extra: { missing_object_digests: digests },
  })
}

/** Resolves refs to table rows. A table has no value of its own; the next path step contains the row's id. */
async function resolveRows(
  { db }: Pick<Deps, 'db'>,
  project_id: string,
  resolutions: readonly RefResolution[],
  budget: ReadBudget | undefined,
): Promise<void> {
  const tables = new Map<
    string,
    { resolution: RefResolution; row_digest: string; rest: readonly RefStep[] }[]
  >()
  for (const resolution of resolutions) {
    const ref = resolution.pendingRef
    if (ref?.kind !== 'table') continue
    const [step, ...rest] = ref.path
    if (step?.by === 'id')
      tables.set(ref.id, [...(tables.get(ref.id) ?? []), { resolution, row_digest: step.name, rest }])
    else resolution.resolveTo(undefined, [])
  }
  for (const [digest, targets] of tables) {
    const row_digests = [...new Set(targets.map((target) => target.row_digest))]
    const query = { digest, row_digests, sort_by: null, limit: undefined, offset: undefined }
    const values = new Map<string, RawJson>()
    for await (const row of streamRows(db, project_id, query)) {
      charge(budget, row.val.length)
      if (budget !== undefined && budget.remainingBytes < 0) break
      values.set(row.digest, RawJson.fromText(row.val))
    }
    for (const { resolution, row_digest, rest } of targets) resolution.resolveTo(values.get(row_digest), rest)
  }
}

function charge(budget: ReadBudget | undefined, bytes: number): void {
  if (budget !== undefined) budget.remainingBytes -= bytes
}
