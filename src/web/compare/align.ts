import { diffSequences } from '../diff/sequence-diff.ts'

/** A call with what it called, as far as aligning needs to know. */
export interface AlignableTree<Tree> {
  /** Calls with the same key can stand beside each other: the name of the op. */
  readonly key: string
  /** In the order of their starts. */
  readonly children: readonly Tree[]
}

/** One place in the structure that all trees share, with the call that each of them has there. */
export interface AlignedNode<Tree> {
  readonly key: string
  /** By number of the tree; undefined where a tree has nothing here. */
  readonly calls: (Tree | undefined)[]
  /** Trees that have it elsewhere: in another order, or under another call. */
  readonly moved: Set<number>
  parent: AlignedNode<Tree> | undefined
  children: AlignedNode<Tree>[]
}

/** How a tree stands to the first one at some place. */
export type Place = 'same' | 'moved' | 'added' | 'removed' | 'absent'

/**
 * Lays trees over each other by the path of ops. The roots belong together whatever they are called; below them calls
 * of the same op in the same order do. Of what is left, calls of the same op under the same call were moved, and so were
 * whole subtrees that are found under another one. Trees are laid on one by one, so that what two of them have in common
 * but not with the first stands beside each other too.
 */
export function alignTrees<Tree extends AlignableTree<Tree>>(
  trees: readonly Tree[],
): AlignedNode<Tree> | undefined {
  const [first, ...others] = trees
  if (first === undefined) return undefined
  const root = grow(first, 0, undefined)
  for (const [i, tree] of others.entries()) lay(root, tree, i + 1)
  return root
}

export function placeOf<Tree>({ calls, moved }: AlignedNode<Tree>, tree: number): Place {
  if (calls[tree] === undefined) return calls[0] === undefined ? 'absent' : 'removed'
  if (calls[0] === undefined) return 'added'
  return moved.has(tree) ? 'moved' : 'same'
}

function grow<Tree extends AlignableTree<Tree>>(
  tree: Tree,
  n: number,
  parent: AlignedNode<Tree> | undefined,
): AlignedNode<Tree> {
  const root = nodeOf(tree, n, parent)
  // By hand and not by recursion, here and below: a trace may be deeper than the stack.
  const open = [{ node: root, tree }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const child of next.tree.children) {
      const node = nodeOf(child, n, next.node)
      next.node.children.push(node)
      open.push({ node, tree: child })
    }
  }
  return root
}

function nodeOf<Tree extends AlignableTree<Tree>>(
  tree: Tree,
  n: number,
  parent: AlignedNode<Tree> | undefined,
): AlignedNode<Tree> {
  const calls: (Tree | undefined)[] = []
  calls[n] = tree
  return { key: tree.key, calls, moved: new Set(), parent, children: [] }
}

interface Match<Tree> {
  readonly node: AlignedNode<Tree>
  readonly tree: Tree
}

function lay<Tree extends AlignableTree<Tree>>(root: AlignedNode<Tree>, tree: Tree, n: number): void {
  // What only the other trees have, and what only this one has: the uppermost of each.
  const lost: AlignedNode<Tree>[] = []
  const fresh: AlignedNode<Tree>[] = []
  const open: Match<Tree>[] = [{ node: root, tree }]
  const layAll = (): void => {
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      next.node.calls[n] = next.tree
      layChildren(next, n, open, lost, fresh)
    }
  }
  layAll()
  // Subtrees that stand under another call now. They are equal, so that nothing is left of them.
  const elsewhere = new Map<string, AlignedNode<Tree>[]>()
  for (const node of lost.splice(0)) append(elsewhere, shapeOf(node), node)
  for (const node of fresh.splice(0)) {
    const found = elsewhere.get(shapeOf(node))?.shift()
    const moved = node.calls[n]
    if (found === undefined || moved === undefined) continue
    const siblings = node.parent?.children ?? []
    siblings.splice(siblings.indexOf(node), 1)
    found.moved.add(n)
    open.push({ node: found, tree: moved })
  }
  layAll()
}

function layChildren<Tree extends AlignableTree<Tree>>(
  { node, tree }: Match<Tree>,
  n: number,
  open: Match<Tree>[],
  lost: AlignedNode<Tree>[],
  fresh: AlignedNode<Tree>[],
): void {
  const own = node.children
  const others = tree.children
  const { gone, added } = diffSequences(...numbered(own, others))
  const lostHere = new Map<string, AlignedNode<Tree>[]>()
  const freshHere: Match<Tree>[] = []
  const merged: AlignedNode<Tree>[] = []
  for (let i = 0, j = 0; i < own.length || j < others.length;) {
    const left = own[i]
    const right = others[j]
    if (left !== undefined && gone[i] === 1) {
      i++
      merged.push(left)
      append(lostHere, left.key, left)
    } else if (right !== undefined && added[j] === 1) {
      j++
      const grown = grow(right, n, node)
      merged.push(grown)
      freshHere.push({ node: grown, tree: right })
    } else {
      i++
      j++
      if (left === undefined || right === undefined) continue
      merged.push(left)
      open.push({ node: left, tree: right })
    }
  }
  const gathered = new Set<AlignedNode<Tree>>()
  for (const match of freshHere) {
    const found = lostHere.get(match.node.key)?.shift()
    if (found === undefined) {
      fresh.push(match.node)
      continue
    }
    gathered.add(match.node)
    found.moved.add(n)
    open.push({ node: found, tree: match.tree })
  }
  for (const left of lostHere.values()) for (const each of left) lost.push(each)
  node.children = gathered.size === 0 ? merged : merged.filter((child) => !gathered.has(child))
}

function append<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

/** Keys as numbers, the same for the same key. */
function numbered(
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

/** The same text for the same ops in the same order at the same depths. */
function shapeOf<Tree>(root: AlignedNode<Tree>): string {
  const parts: string[] = []
  const open = [{ node: root, depth: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    parts.push(`${next.depth} ${next.node.key}`)
    for (const child of next.node.children.toReversed()) open.push({ node: child, depth: next.depth + 1 })
  }
  return parts.join('\n')
}
