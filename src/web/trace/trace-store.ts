import { type CallKind, kindFromName } from '../call/call-kind.ts'

/** The fields of a call that the tree and the timeline need. Loaded for every call of a trace. */
export interface TraceCall {
  readonly id: string
  readonly parent_id: string | null
  readonly op_name: string
  readonly name: string
  readonly startMs: number
  /** `undefined` while the call is running. */
  readonly endMs: number | undefined
  readonly hasError: boolean
}

/** A call in the tree. Mutable, because a trace may have 50,000 of them. */
export interface TraceNode {
  call: TraceCall
  kind: CallKind
  parent: TraceNode | undefined
  readonly children: TraceNode[]
  /** Whether a descendant has an error. */
  hasDescendantError: boolean
}

/** Below this number of calls, listeners are notified on every frame. */
const NOTIFY_EVERY_FRAME_BELOW = 1000
const NOTIFY_INTERVAL_MS = 400

/** Store of the calls of one trace, filled by a stream and then by the live feed. */
export class TraceStore {
  readonly #nodes = new Map<string, TraceNode>()
  /** Calls whose parent has not arrived, by parent id. */
  readonly #orphans = new Map<string, TraceNode[]>()
  readonly #listeners = new Set<() => void>()
  readonly roots: TraceNode[] = []
  #version = 0
  #structureVersion = 0
  #isNotificationPending = false
  startMs = Number.POSITIVE_INFINITY
  endMs = Number.NEGATIVE_INFINITY
  isComplete = false

  get size(): number {
    return this.#nodes.size
  }

  get version(): number {
    return this.#version
  }

  /** Changes when calls are added, removed or updated, but not when only their kind becomes known. */
  get structureVersion(): number {
    return this.#structureVersion
  }

  get(id: string): TraceNode | undefined {
    return this.#nodes.get(id)
  }

  nodes(): IterableIterator<TraceNode> {
    return this.#nodes.values()
  }

  put(call: TraceCall): void {
    this.startMs = Math.min(this.startMs, call.startMs)
    this.endMs = Math.max(this.endMs, call.endMs ?? call.startMs)
    const known = this.#nodes.get(call.id)
    if (known === undefined) this.#add(call)
    else known.call = call
    if (call.hasError) this.#markAncestors(this.#nodes.get(call.id)?.parent)
    this.#structureVersion++
    this.#scheduleNotification()
  }

  remove(id: string): void {
    const node = this.#nodes.get(id)
    if (node === undefined) return
    const siblings = node.parent?.children ?? this.roots
    siblings.splice(siblings.indexOf(node), 1)
    // Descendants are removed with the call.
    const removeSubtree = (removed: TraceNode): void => {
      this.#nodes.delete(removed.call.id)
      for (const child of removed.children) removeSubtree(child)
    }
    removeSubtree(node)
    this.#structureVersion++
    this.#scheduleNotification()
  }

  /** Marks the trace as fully loaded and removes calls that are not in `ids`: they were deleted since the last load. */
  markComplete(ids: ReadonlySet<string>): void {
    for (const id of this.#nodes.keys()) if (!ids.has(id)) this.remove(id)
    this.isComplete = true
    this.#scheduleNotification()
  }

  setKind(id: string, kind: CallKind): void {
    const node = this.#nodes.get(id)
    if (node === undefined || node.kind === kind) return
    node.kind = kind
    this.#scheduleNotification()
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #add(call: TraceCall): void {
    const node: TraceNode = {
      call,
      kind: kindFromName(call.name),
      parent: undefined,
      children: [],
      hasDescendantError: false,
    }
    this.#nodes.set(call.id, node)
    const parent = call.parent_id === null ? undefined : this.#nodes.get(call.parent_id)
    if (parent === undefined) {
      insert(this.roots, node)
      if (call.parent_id !== null) {
        const others = this.#orphans.get(call.parent_id)
        if (others === undefined) this.#orphans.set(call.parent_id, [node])
        else others.push(node)
      }
    } else this.#attach(node, parent)
    for (const child of this.#orphans.get(call.id) ?? []) {
      this.roots.splice(this.roots.indexOf(child), 1)
      this.#attach(child, node)
    }
    this.#orphans.delete(call.id)
  }

  #attach(node: TraceNode, parent: TraceNode): void {
    node.parent = parent
    insert(parent.children, node)
    if (node.call.hasError || node.hasDescendantError) this.#markAncestors(parent)
  }

  #markAncestors(from: TraceNode | undefined): void {
    for (let node = from; node !== undefined && !node.hasDescendantError; node = node.parent)
      node.hasDescendantError = true
  }

  /**
   * Notifies listeners once per frame: a stream delivers thousands of calls per frame. While a large trace loads, they
   * are notified less often, because a large tree is slow to render.
   */
  #scheduleNotification(): void {
    this.#version++
    if (this.#isNotificationPending) return
    this.#isNotificationPending = true
    const notify = (): void => {
      this.#isNotificationPending = false
      for (const listener of this.#listeners) listener()
    }
    if (this.isComplete || this.size < NOTIFY_EVERY_FRAME_BELOW) requestAnimationFrame(notify)
    else setTimeout(notify, NOTIFY_INTERVAL_MS)
  }
}

/** Inserts by start time; nearly always at the end. */
function insert(nodes: TraceNode[], node: TraceNode): void {
  let at = nodes.length
  while (at > 0 && (nodes[at - 1]?.call.startMs ?? 0) > node.call.startMs) at--
  if (at === nodes.length) nodes.push(node)
  else nodes.splice(at, 0, node)
}
