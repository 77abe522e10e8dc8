import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AlignedNode, alignTrees, alignmentStatus } from './tree-alignment.ts'

interface Tree {
  readonly key: string
  readonly children: readonly Tree[]
}

/** Parses `agent(search llm(tool))` into a tree. */
function tree(text: string): Tree {
  const tokens = text.match(/[()]|[^\s()]+/g) ?? []
  let at = 0
  const parseList = (): Tree[] => {
    const trees: Tree[] = []
    while (at < tokens.length && tokens[at] !== ')') {
      const key = tokens[at++] ?? ''
      let children: Tree[] = []
      if (tokens[at] === '(') {
        at++
        children = parseList()
        at++
      }
      trees.push({ key, children })
    }
    return trees
  }
  const [root] = parseList()
  return root ?? { key: '', children: [] }
}

const SYMBOLS = { same: '=', moved: '~', added: '+', removed: '-', absent: '.' }

/** Aligns the trees and prints one line per node: indented key, and the status of every tree but the first. */
function aligned(...texts: readonly string[]): string[] {
  const lines: string[] = []
  const print = (node: AlignedNode<Tree>, depth: number): void => {
    const symbols = texts.slice(1).map((_, i) => SYMBOLS[alignmentStatus(node, i + 1)])
    lines.push(`${' '.repeat(depth)}${node.key} ${symbols.join('')}`)
    for (const child of node.children) print(child, depth + 1)
  }
  const root = alignTrees(texts.map(tree))
  if (root !== undefined) print(root, 0)
  return lines
}

describe('two traces', () => {
  test('with the same structure have status same', () => {
    expect(aligned('agent(search llm(tool))', 'agent(search llm(tool))')).toEqual([
      'agent =',
      ' search =',
      ' llm =',
      '  tool =',
    ])
  })

  test('have added and removed calls, including their descendants', () => {
    expect(aligned('agent(search llm)', 'agent(plan(think) search)')).toEqual([
      'agent =',
      ' plan +',
      '  think +',
      ' search =',
      ' llm -',
    ])
  })

  test('a call in another position is moved, not added and removed', () => {
    expect(aligned('agent(search rank llm)', 'agent(rank llm search)')).toEqual([
      'agent =',
      ' search ~',
      ' rank =',
      ' llm =',
    ])
  })

  test('a call under another parent is moved with its descendants', () => {
    expect(aligned('agent(plan search(embed) llm)', 'agent(plan(search(embed)) llm)')).toEqual([
      'agent =',
      ' plan =',
      ' search ~',
      '  embed =',
      ' llm =',
    ])
  })

  test('one more repetition of a call is added', () => {
    expect(aligned('agent(llm tool)', 'agent(llm tool llm)')).toEqual([
      'agent =',
      ' llm =',
      ' tool =',
      ' llm +',
    ])
  })

  test('match at the root even if their ops differ', () => {
    expect(aligned('agent(llm)', 'assistant(llm)')).toEqual(['agent =', ' llm ='])
  })
})

test('of three traces, calls that only the later two share are aligned with each other', () => {
  expect(aligned('agent(llm)', 'agent(search llm)', 'agent(search llm check)')).toEqual([
    'agent ==',
    ' search ++',
    ' llm ==',
    ' check .+',
  ])
})

test('one trace aligns with itself, no traces yield undefined', () => {
  expect(aligned('agent(llm)')).toEqual(['agent ', ' llm '])
  expect(alignTrees([])).toBeUndefined()
})

test('every call of every trace has one node, below the node of its parent unless it was moved', () => {
  const { node } = fc.letrec<{ node: Tree }>((tie) => ({
    node: fc.record({
      key: fc.constantFrom('a', 'b', 'c'),
      children: fc.oneof({ maxDepth: 4 }, fc.constant([]), fc.array(tie('node'), { maxLength: 4 })),
    }),
  }))
  const allCalls = (root: Tree): Tree[] => [root, ...root.children.flatMap(allCalls)]
  fc.assert(
    fc.property(fc.array(node, { minLength: 1, maxLength: 4 }), (trees) => {
      const root = alignTrees(trees)
      const nodes: AlignedNode<Tree>[] = []
      const collect = (each: AlignedNode<Tree>): void => {
        nodes.push(each)
        for (const child of each.children) {
          expect(child.parent).toBe(each)
          collect(child)
        }
      }
      if (root !== undefined) collect(root)
      for (const [n, each] of trees.entries()) {
        const placed = nodes.flatMap(({ calls }) => calls[n] ?? [])
        expect(new Set(placed)).toEqual(new Set(allCalls(each)))
        expect(placed).toHaveLength(allCalls(each).length)
        for (const at of nodes) {
          const call = at.calls[n]
          const parent = at.parent?.calls[n]
          if (call === undefined || at.parent === undefined || at.moved.has(n)) continue
          expect(parent?.children).toContain(call)
        }
      }
    }),
  )
})

test('10,000 sibling calls are aligned within 2 s', () => {
  const wide = (from: number): Tree => ({
    key: 'run',
    children: Array.from({ length: 10_000 }, (_, i) => ({ key: `op ${(i + from) % 97}`, children: [] })),
  })
  const startedMs = performance.now()
  alignTrees([wide(0), wide(13)])
  expect(performance.now() - startedMs).toBeLessThan(2000)
})
