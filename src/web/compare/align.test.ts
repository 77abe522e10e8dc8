import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AlignedNode, alignTrees, placeOf } from './align.ts'

interface Tree {
  readonly key: string
  readonly children: readonly Tree[]
}

/** `agent(search llm(tool))` as a tree. */
function tree(text: string): Tree {
  const signs = text.match(/[()]|[^\s()]+/g) ?? []
  let at = 0
  const list = (): Tree[] => {
    const found: Tree[] = []
    while (at < signs.length && signs[at] !== ')') {
      const key = signs[at++] ?? ''
      let children: Tree[] = []
      if (signs[at] === '(') {
        at++
        children = list()
        at++
      }
      found.push({ key, children })
    }
    return found
  }
  const [root] = list()
  return root ?? { key: '', children: [] }
}

const SIGNS = { same: '=', moved: '~', added: '+', removed: '-', absent: '.' }

/** Each place with the depth it has, its key, and how every tree but the first stands to it. */
function told(...texts: readonly string[]): string[] {
  const lines: string[] = []
  const tell = (node: AlignedNode<Tree>, depth: number): void => {
    const signs = texts.slice(1).map((_, i) => SIGNS[placeOf(node, i + 1)])
    lines.push(`${' '.repeat(depth)}${node.key} ${signs.join('')}`)
    for (const child of node.children) tell(child, depth + 1)
  }
  const root = alignTrees(texts.map(tree))
  if (root !== undefined) tell(root, 0)
  return lines
}

describe('two traces', () => {
  test('of the same structure are the same', () => {
    expect(told('agent(search llm(tool))', 'agent(search llm(tool))')).toEqual([
      'agent =',
      ' search =',
      ' llm =',
      '  tool =',
    ])
  })

  test('have calls that came and calls that went, with what they called', () => {
    expect(told('agent(search llm)', 'agent(plan(think) search)')).toEqual([
      'agent =',
      ' plan +',
      '  think +',
      ' search =',
      ' llm -',
    ])
  })

  test('a call in another order was moved, not added and removed', () => {
    expect(told('agent(search rank llm)', 'agent(rank llm search)')).toEqual([
      'agent =',
      ' search ~',
      ' rank =',
      ' llm =',
    ])
  })

  test('a call under another one was moved with what it called', () => {
    expect(told('agent(plan search(embed) llm)', 'agent(plan(search(embed)) llm)')).toEqual([
      'agent =',
      ' plan =',
      ' search ~',
      '  embed =',
      ' llm =',
    ])
  })

  test('a call that was repeated once more was added', () => {
    expect(told('agent(llm tool)', 'agent(llm tool llm)')).toEqual(['agent =', ' llm =', ' tool =', ' llm +'])
  })

  test('belong together at the root whatever they are called', () => {
    expect(told('agent(llm)', 'assistant(llm)')).toEqual(['agent =', ' llm ='])
  })
})

test('of three traces, what the later two share stands beside each other', () => {
  expect(told('agent(llm)', 'agent(search llm)', 'agent(search llm check)')).toEqual([
    'agent ==',
    ' search ++',
    ' llm ==',
    ' check .+',
  ])
})

test('one trace is itself, none is nothing', () => {
  expect(told('agent(llm)')).toEqual(['agent ', ' llm '])
  expect(alignTrees([])).toBeUndefined()
})

test('every call of every trace stands at one place, under the place of its parent unless it was moved', () => {
  const { node } = fc.letrec<{ node: Tree }>((tie) => ({
    node: fc.record({
      key: fc.constantFrom('a', 'b', 'c'),
      children: fc.oneof({ maxDepth: 4 }, fc.constant([]), fc.array(tie('node'), { maxLength: 4 })),
    }),
  }))
  const callsOf = (root: Tree): Tree[] => [root, ...root.children.flatMap(callsOf)]
  fc.assert(
    fc.property(fc.array(node, { minLength: 1, maxLength: 4 }), (trees) => {
      const root = alignTrees(trees)
      const nodes: AlignedNode<Tree>[] = []
      const gather = (each: AlignedNode<Tree>): void => {
        nodes.push(each)
        for (const child of each.children) {
          expect(child.parent).toBe(each)
          gather(child)
        }
      }
      if (root !== undefined) gather(root)
      for (const [n, each] of trees.entries()) {
        const placed = nodes.flatMap(({ calls }) => calls[n] ?? [])
        expect(new Set(placed)).toEqual(new Set(callsOf(each)))
        expect(placed).toHaveLength(callsOf(each).length)
        for (const at of nodes) {
          const call = at.calls[n]
          const above = at.parent?.calls[n]
          if (call === undefined || at.parent === undefined || at.moved.has(n)) continue
          expect(above?.children).toContain(call)
        }
      }
    }),
  )
})

test('10,000 calls beside each other are aligned within a moment', () => {
  const wide = (from: number): Tree => ({
    key: 'run',
    children: Array.from({ length: 10_000 }, (_, i) => ({ key: `op ${(i + from) % 97}`, children: [] })),
  })
  const began = performance.now()
  alignTrees([wide(0), wide(13)])
  expect(performance.now() - began).toBeLessThan(2000)
})
