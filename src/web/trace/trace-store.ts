import { type CallKind, kindByName } from '../call/kind.ts'

/** What is known of each call of a trace before anybody looks at it: enough for the tree and the timeline. */
export interface NarrowCall {
  readonly id: string
  readonly parent_id: string | null
  readonly op_name: string
  readonly name: string
  readonly startMs: number
  /** undefined while it runs. */
  readonly endMs: number | undefined
  readonly hasError: boolean
}

/** A call in its tree. Changes in place: a trace may have 50,000 of them. */
export interface TraceNode {
  call: NarrowCall
  kind: CallKind
  parent: TraceNode | undefined
  readonly children: TraceNode[]
  /** Whether something that it called failed. */
  hasErrorBelow: boolean
}

/** Up to so many calls every frame shows what has arrived. */
const OFTEN_TOLD = 1000
const PAUSE_MS = 400

/** The calls of one trace as they arrive, from a stream and then from the live feed. */
export class TraceStore {
  readonly #nodes = new Map<string, TraceNode>()
  /** Calls whose parent has not arrived, by its id. */
  readonly #waiting = new Map<string, TraceNode[]>()
  readonly #listeners = new Set<() => void>()
  readonly roots: TraceNode[] = []
  #version = 0
  #shape = 0
  #isTelling = false
  startMs = Number.POSITIVE_INFINITY
  endMs = Number.NEGATIVE_INFINITY
  isWhole = false

  get size(): number {
    return this.#nodes.size
  }

  get version(): number {
    return this.#version
  }

  /** Another one when calls have come, gone or changed; not when only their kind has become known. */
  get shape(): number {
    return this.#shape
  }

  get(id: string): TraceNode | undefined {
    return this.#nodes.get(id)
  }

  nodes(): IterableIterator<TraceNode> {
    return this.#nodes.values()
  }

  put(call: NarrowCall): void {
    this.startMs = Math.min(this.startMs, call.startMs)
    this.endMs = Math.max(this.endMs, call.endMs ?? call.startMs)
    const known = this.#nodes.get(call.id)
    if (known === undefined) this.#add(call)
    else known.call = call
    if (call.hasError) this.#markAbove(this.#nodes.get(call.id)?.parent)
    this.#shape++
    this.#changed()
  }

  remove(id: string): void {
    const node = this.#nodes.get(id)
    if (node === undefined) return
    const siblings = node.parent?.children ?? this.roots
    siblings.splice(siblings.indexOf(node), 1)
    // What it called is gone with it.
    const forget = (gone: TraceNode): void => {
      this.#nodes.delete(gone.call.id)
      for (const child of gone.children) forget(child)
    }
    forget(node)
    this.#shape++
    this.#changed()
  }

  /** All of it was read. Calls that are not among `ids` are gone since it was read before. */
  noteWhole(ids: ReadonlySet<string>): void {
    for (const id of this.#nodes.keys()) if (!ids.has(id)) this.remove(id)
    this.isWhole = true
    this.#changed()
  }

  noteKind(id: string, kind: CallKind): void {
    const node = this.#nodes.get(id)
    if (node === undefined || node.kind === kind) return
    node.kind = kind
    this.#changed()
  }

  subscribe = (tell: () => void): (() => void) => {
    this.#listeners.add(tell)
    return () => this.#listeners.delete(tell)
  }

  #add(call: NarrowCall): void {
    const node: TraceNode = {
      call,
      kind: kindByName(call.name),
      parent: undefined,
      children: [],
      hasErrorBelow: false,
    }
    this.#nodes.set(call.id, node)
    const parent = call.parent_id === null ? undefined : this.#nodes.get(call.parent_id)
    if (parent === undefined) {
      insert(this.roots, node)
      if (call.parent_id !== null) {
        const others = this.#waiting.get(call.parent_id)
        if (others === undefined) this.#waiting.set(call.parent_id, [node])
        else others.push(node)
      }
    } else this.#attach(node, parent)
    for (const child of this.#waiting.get(call.id) ?? []) {
      this.roots.splice(this.roots.indexOf(child), 1)
      this.#attach(child, node)
    }
    this.#waiting.delete(call.id)
  }

  #attach(node: TraceNode, parent: TraceNode): void {
    node.parent = parent
    insert(parent.children, node)
    if (node.call.hasError || node.hasErrorBelow) this.#markAbove(parent)
  }

  #markAbove(from: TraceNode | undefined): void {
    for (let node = from; node !== undefined && !node.hasErrorBelow; node = node.parent)
      node.hasErrorBelow = true
  }

  /** Told once a frame: a stream brings thousands of calls in one. A large tree takes a while to draw: less often then. */
  #changed(): void {
    this.#version++
    if (this.#isTelling) return
    this.#isTelling = true
    const tell = (): void => {
      this.#isTelling = false
      for (const each of this.#listeners) each()
    }
    if (this.isWhole || this.size < OFTEN_TOLD) requestAnimationFrame(tell)
    else setTimeout(tell, PAUSE_MS)
  }
}

/** In the order of starts; nearly always at the end. */
function insert(nodes: TraceNode[], node: TraceNode): void {
  let at = nodes.length
  while (at > 0 && (nodes[at - 1]?.call.startMs ?? 0) > node.call.startMs) at--
  if (at === nodes.length) nodes.push(node)
  else nodes.splice(at, 0, node)
}
