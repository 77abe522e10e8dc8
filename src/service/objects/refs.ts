import { ApiError } from '../../contract/api-error.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { type ObjectRef, parseRef, type Ref, type RefStep } from '../../contract/objects/ref.ts'
import { readRef } from '../../contract/objects/refs.ts'
import { find, item, stringOf } from '../../core/json/navigate.ts'
import { type Content, contentKey, findContents } from '../../store/objects/objects.ts'
import { queryRows } from '../../store/objects/tables.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'

const MAX_REFS = 1_000
/** From ref to ref; content cannot point at itself, so only a chain made on purpose is longer. */
const MAX_HOPS = 64

const NULL = RawJson.fromText('null')

export function refsHandlers(deps: Deps): Pick<Handlers, 'refs_read_batch'> {
  return {
    refs_read_batch: async ({ refs }) => {
      if (refs.length > MAX_REFS)
        throw new ApiError('invalid_request', `at most ${MAX_REFS} refs can be read at once`)
      const walks = await walkAll(deps, refs.map(targetOf), 'fail')
      return { vals: walks.map((walk) => walk.value ?? NULL) }
    },
  }
}

/** What these refs point at, in their order; undefined where there is nothing. */
export async function resolveRefs(
  deps: Pick<Deps, 'db'>,
  refs: readonly ObjectRef[],
): Promise<(RawJson | undefined)[]> {
  return (await walkAll(deps, refs, 'skip')).map((walk) => walk.value)
}

/** Whether an object that does not exist fails the whole request. */
type IfMissing = 'fail' | 'skip'

async function walkAll(
  deps: Pick<Deps, 'db'>,
  refs: readonly ObjectRef[],
  ifMissing: IfMissing,
): Promise<Walk[]> {
  const walks = refs.map((ref) => new Walk(ref))
  for (let hop = 0; hop < MAX_HOPS && walks.some((walk) => walk.next !== undefined); hop++) {
    await takeHop(deps, walks, ifMissing)
  }
  return walks
}

/** What a batch can read: content that cannot change. */
function targetOf(text: string): ObjectRef {
  const ref = readRef(text)
  if (ref.kind !== 'object' && ref.kind !== 'op') {
    throw new ApiError(
      'invalid_request',
      `${text} is a ${ref.kind} ref; only object and op refs can be read in a batch`,
    )
  }
  if (ref.digest === 'latest') {
    throw new ApiError('invalid_request', `${text} must name a digest; ask obj/read for the latest version`)
  }
  return ref
}

/** One ref on its way through values: it stands at a value, or waits for what another ref points at. */
class Walk {
  readonly project_id: string
  next: Ref | undefined
  value: RawJson | undefined

  constructor(ref: Ref) {
    this.project_id = ref.project_id
    this.next = ref
  }

  /** Goes on from the value that the awaited ref points at; undefined: there is none. */
  arrive(value: RawJson | undefined, path: readonly RefStep[]): void {
    this.next = undefined
    this.value = value
    for (const [i, step] of path.entries()) {
      if (this.value === undefined) return
      const hop = refIn(this.value)
      if (hop !== undefined) {
        this.#follow(hop, path.slice(i))
        return
      }
      this.value = stepInto(this.value, step)
    }
  }

  /** The caller may read the ref's own project; whether also another one was not asked. */
  #follow(ref: Ref, rest: readonly RefStep[]): void {
    this.value = undefined
    if (ref.project_id === this.project_id) this.next = { ...ref, path: [...ref.path, ...rest] }
  }
}

function refIn(value: RawJson): Ref | undefined {
  const text = stringOf(value)
  return text === undefined ? undefined : parseRef(text)
}

function stepInto(value: RawJson, step: RefStep): RawJson | undefined {
  if (step.by === 'attr' || step.by === 'key') return find(value, step.name)
  if (step.by === 'index' && /^\d{1,9}$/.test(step.name)) return item(value, Number(step.name))
  // Only rows of tables have ids.
  return undefined
}

/** Everything that is waited for, project by project, in as few statements as there are kinds of it. */
async function takeHop(deps: Pick<Deps, 'db'>, walks: readonly Walk[], ifMissing: IfMissing): Promise<void> {
  const waiting = walks.filter((walk) => walk.next !== undefined)
  for (const project_id of new Set(waiting.map((walk) => walk.project_id))) {
    const here = waiting.filter((walk) => walk.project_id === project_id)
    await arriveAtObjects(deps, project_id, here, ifMissing)
    await arriveAtRows(deps, project_id, here)
    // What else a value can name (calls, files) has no value of its own here.
    for (const walk of here)
      if (walk.next?.kind === 'call' || walk.next?.kind === 'file') walk.arrive(undefined, [])
  }
}

async function arriveAtObjects(
  { db }: Pick<Deps, 'db'>,
  project_id: string,
  walks: readonly Walk[],
  ifMissing: IfMissing,
): Promise<void> {
  const arrivals = walks.flatMap((walk) => {
    const ref = walk.next
    return ref?.kind === 'object' || ref?.kind === 'op'
      ? [{ walk, ref, key: { object_id: ref.name, digest: ref.digest } }]
      : []
  })
  if (arrivals.length === 0) return
  const contents = await findContents(
    db,
    project_id,
    arrivals.map((arrival) => arrival.key),
  )
  const missing = arrivals.filter(({ key }) => !contents.has(contentKey(key))).map(({ ref }) => ref)
  if (missing.length > 0 && ifMissing === 'fail') throw missingObjects(missing)
  for (const { walk, ref, key } of arrivals) walk.arrive(aliveValue(contents.get(contentKey(key))), ref.path)
}

function aliveValue(content: Content | undefined): RawJson | undefined {
  return content?.is_alive === true ? content.val : undefined
}

function missingObjects(refs: readonly ObjectRef[]): ApiError {
  const digests = [...new Set(refs.map((ref) => ref.digest))]
  const names = [...new Set(refs.map((ref) => `${ref.name}:${ref.digest}`))]
  return new ApiError('not_found', `Obj ${names.slice(0, 5).join(', ')} not found`, {
    extra: { missing_object_digests: digests },
  })
}

/** A table has no value of its own; its rows are found by the id that the path goes on with. */
async function arriveAtRows(
  { db }: Pick<Deps, 'db'>,
  project_id: string,
  walks: readonly Walk[],
): Promise<void> {
  const tables = new Map<string, { walk: Walk; row_digest: string; rest: readonly RefStep[] }[]>()
  for (const walk of walks) {
    const ref = walk.next
    if (ref?.kind !== 'table') continue
    const [step, ...rest] = ref.path
    if (step?.by === 'id')
      tables.set(ref.id, [...(tables.get(ref.id) ?? []), { walk, row_digest: step.name, rest }])
    else walk.arrive(undefined, [])
  }
  for (const [digest, arrivals] of tables) {
    const row_digests = [...new Set(arrivals.map((arrival) => arrival.row_digest))]
    const rows = await queryRows(db, project_id, {
      digest,
      row_digests,
      sort_by: null,
      limit: undefined,
      offset: undefined,
    })
    const values = new Map(rows.map((row) => [row.digest, RawJson.fromText(row.val)]))
    for (const { walk, row_digest, rest } of arrivals) walk.arrive(values.get(row_digest), rest)
  }
}
