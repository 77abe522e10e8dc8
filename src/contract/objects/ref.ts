/**
 * Refs: URIs of objects, calls, tables and files, `weave:///entity/project/<kind>/<name>:<digest>/<path>`. They are
 * in the contract and not in core, because authorization needs the projects that a request refers to.
 */
export type Ref = ObjectRef | ItemRef

export interface ObjectRef {
  readonly kind: 'object' | 'op'
  readonly project_id: string
  readonly name: string
  /** A content digest or a selector: `latest`, `v3`, an alias, `*`. */
  readonly digest: string
  readonly path: readonly RefStep[]
}

/** A call by id, or a table or file by digest. */
interface ItemRef {
  readonly kind: 'call' | 'table' | 'file'
  readonly project_id: string
  readonly id: string
  readonly path: readonly RefStep[]
}

/** One step into a value: an attribute, a key, an index, or the digest of a table row. */
export interface RefStep {
  readonly by: 'attr' | 'key' | 'index' | 'id'
  readonly name: string
}

export const REF_PREFIX = 'weave:///'

const NAMED = /^(object|op)\/([^/]+):([^/:]+)$/
const PLAIN = /^(call|table|file)\/([^/]+)$/
const STEP_KINDS: ReadonlySet<string> = new Set(['attr', 'key', 'index', 'id'])

/** Returns undefined for text that is not a ref. */
export function parseRef(text: string): Ref | undefined {
  if (!text.startsWith(REF_PREFIX)) return undefined
  const [entity, project, kind, name, ...rest] = text.slice(REF_PREFIX.length).split('/')
  const path = parsePath(rest)
  if (!entity || !project || path === undefined) return undefined
  const project_id = `${entity}/${project}`
  const named = NAMED.exec(`${kind}/${name}`)
  if (named !== null) {
    return { kind: named[1] as ObjectRef['kind'], project_id, name: named[2]!, digest: named[3]!, path }
  }
  const plain = PLAIN.exec(`${kind}/${name}`)
  return plain === null ? undefined : { kind: plain[1] as ItemRef['kind'], project_id, id: plain[2]!, path }
}

function parsePath(segments: readonly string[]): RefStep[] | undefined {
  if (segments.length % 2 !== 0) return undefined
  const path: RefStep[] = []
  for (let i = 0; i < segments.length; i += 2) {
    const by = segments[i]!
    const name = decode(segments[i + 1]!)
    if (!STEP_KINDS.has(by) || name === undefined) return undefined
    path.push({ by: by as RefStep['by'], name })
  }
  return path
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

export function formatRef(ref: Ref): string {
  const target = 'id' in ref ? ref.id : `${ref.name}:${ref.digest}`
  const path = ref.path.map((step) => `/${step.by}/${encodeURIComponent(step.name)}`).join('')
  return `${REF_PREFIX}${ref.project_id}/${ref.kind}/${target}${path}`
}
