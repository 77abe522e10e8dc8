import { diffSequences } from '../diff/sequence-diff.ts'

/** The minimal shape of a call tree that can be aligned. */
export interface AlignableTree<Tree> {
  /** The op name. Only calls with the same key are aligned. */
  readonly key: string
  /** Ordered by start time. */
  readonly children: readonly Tree[]
}

/** A node of the merged tree, with the matching call of each input tree. */
export interface AlignedNode<Tree> {
  readonly key: string
  /** Indexed by tree; undefined where a tree has no matching call. */
  readonly calls: (Tree | undefined)[]
  /** Indexes of trees where the call has another position or another parent. */
  readonly moved: Set<number>
  parent: AlignedNode<Tree> | undefined
  children: AlignedNode<Tree>[]
}

/** The status of one tree at a node, relative to the first tree. */
export type AlignmentStatus = 'same' | 'moved' | 'added' | 'removed' | 'absent'

/**
 * Aligns call trees by op path and returns the merged tree. Roots always match, whatever their ops. Below them, calls of
 * the same op match in order. An unmatched call of the same op under the same parent counts as moved, and so does an
 * identical subtree under another parent. Trees are merged one at a time, so calls that two later trees share but the
 * first one lacks are aligned with each other too.
 */
export function alignTrees<Tree extends AlignableTree<Tree>>(
  trees: readonly Tree[],
): AlignedNode<Tree> | undefined {
  const [first, ...others] = trees
  if (first === undefined) return undefined
  const root = createSubtree(first, 0, undefined)
  for (const [i, tree] of others.entries()) mergeTree(root, tree, i + 1)
  return root
}

export function alignmentStatus<Tree>(
  { calls, moved }: AlignedNode<Tree>,
  treeIndex: number,
): AlignmentStatus {
  if (calls[treeIndex] === undefined) return calls[0] === undefined ? 'absent' : 'removed'
  if (calls[0] === undefined) return 'added'
  return moved.has(treeIndex) ? 'moved' : 'same'
}

function createSubtree<Tree extends AlignableTree<Tree>>(
  tree: Tree,
  treeIndex: number,
  parent: AlignedNode<Tree> | undefined,
): AlignedNode<Tree> {
  const root = createNode(tree, treeIndex, parent)
  // Iterative, here and below: a trace may be deeper than the call stack.
  const pending = [{ node: root, tree }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const child of next.tree.children) {
      const node = createNode(child, treeIndex, next.node)
      next.node.children.push(node)
      pending.push({ node, tree: child })
    }
  }
  return root
}

function createNode<Tree extends AlignableTree<Tree>>(
  tree: Tree,
  treeIndex: number,
  parent: AlignedNode<Tree> | undefined,
): AlignedNode<Tree> {
  const calls: (Tree | undefined)[] = []
  calls[treeIndex] = tree
  return { key: tree.key, calls, moved: new Set(), parent, children: [] }
}

interface Match<Tree> {
  readonly node: AlignedNode<Tree>
  readonly tree: Tree
}

function mergeTree<Tree extends AlignableTree<Tree>>(
  root: AlignedNode<Tree>,
  tree: Tree,
  treeIndex: number,
): void {
  // The topmost nodes that only the earlier trees have, and that only this tree has.
  const removed: AlignedNode<Tree>[] = []
  const added: AlignedNode<Tree>[] = []
  const pending: Match<Tree>[] = [{ node: root, tree }]
  const mergePending = (): void => {
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      next.node.calls[treeIndex] = next.tree
      mergeChildren(next, treeIndex, pending, removed, added)
    }
  }
  mergePending()
  // Subtrees that moved to another parent. Their signatures are equal, so merging them leaves no unmatched nodes.
  const removedBySignature = new Map<string, AlignedNode<Tree>[]>()
  for (const node of removed.splice(0)) append(removedBySignature, subtreeSignature(node), node)
  for (const node of added.splice(0)) {
    const match = removedBySignature.get(subtreeSignature(node))?.shift()
    const moved = node.calls[treeIndex]
    if (match === undefined || moved === undefined) continue
    const siblings = node.parent?.children ?? []
    siblings.splice(siblings.indexOf(node), 1)
    match.moved.add(treeIndex)
    pending.push({ node: match, tree: moved })
  }
  mergePending()
}

function mergeChildren<Tree extends AlignableTree<Tree>>(
  { node, tree }: Match<Tree>,
  treeIndex: number,
  pending: Match<Tree>[],
  removed: AlignedNode<Tree>[],
  added: AlignedNode<Tree>[],
): void {
  const nodes = node.children
  const calls = tree.children
  const diff = diffSequences(...keyNumbers(nodes, calls))
  const removedByKey = new Map<string, AlignedNode<Tree>[]>()
  const addedHere: Match<Tree>[] = []
  const merged: AlignedNode<Tree>[] = []
  for (let i = 0, j = 0; i < nodes.length || j < calls.length;) {
    const left = nodes[i]
    const right = calls[j]
    if (left !== undefined && diff.removed[i] === 1) {
      i++
      merged.push(left)
      append(removedByKey, left.key, left)
    } else if (right !== undefined && diff.added[j] === 1) {
      j++
      const subtree = createSubtree(right, treeIndex, node)
      merged.push(subtree)
      addedHere.push({ node: subtree, tree: right })
    } else {
      i++
      j++
      if (left === undefined || right === undefined) continue
      merged.push(left)
      pending.push({ node: left, tree: right })
    }
  }
  // Nodes that were added for calls which turned out to be moved.
  const obsolete = new Set<AlignedNode<Tree>>()
  for (const candidate of addedHere) {
    const match = removedByKey.get(candidate.node.key)?.shift()
    if (match === undefined) {
      added.push(candidate.node)
      continue
    }
    obsolete.add(candidate.node)
    match.moved.add(treeIndex)
    pending.push({ node: match, tree: candidate.tree })
  }
  for (const unmatched of removedByKey.values()) for (const each of unmatched) removed.push(each)
  node.children = obsolete.size === 0 ? merged : merged.filter((child) => !obsolete.has(child))
}

function append<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

/** Maps keys to integers, equal for equal keys. */
function keyNumbers(
  a: readonly { readonly key: string }[],
  b: readonly { readonly key: string }[],
): [Int32Array, Int32Array] {
  const numbers = new Map<string, number>()
  const number = ({ key }: { readonly key: string }): number => {
    const known = numbers.get(key) ?? numbers.size
    numbers.set(key, known)
    return known
  }
  return [Int32Array.from(a, number), Int32Array.from(b, number)]
}

/** Equal for subtrees with the same ops in the same order at the same depths. */
function subtreeSignature<Tree>(root: AlignedNode<Tree>): string {
  const parts: string[] = []
  const pending = [{ node: root, depth: 0 }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    parts.push(`${next.depth} ${next.node.key}`)
    for (const child of next.node.children.toReversed()) pending.push({ node: child, depth: next.depth + 1 })
  }
  return parts.join('\n')
}
