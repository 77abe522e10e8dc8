import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * `npm run check:structure`: fails on import cycles between files of src and between folders of src/web, type-only imports
 * included, and on long files.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MAX_LINES = 350

const files = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
  .toSorted()
const sources = new Map(files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]))

const problems = [
  ...[imports(), webFolderImports()].flatMap(cycles).map((cycle) => `import cycle: ${cycle.join(' -> ')}`),
  ...files.flatMap((file) => {
    const lines = sources.get(file).split('\n').length - 1
    // Generated files are as long as what they list.
    return lines > MAX_LINES && !file.includes('.generated.')
      ? [`${file} has ${lines} lines, more than ${MAX_LINES}`]
      : []
  }),
]
for (const problem of problems) console.error(problem)
console.log(`check:structure: ${files.length} files, ${problems.length} problems`)
process.exit(problems.length === 0 ? 0 : 1)

/** Relative imports of each file: `import … from`, `import type … from`, `export … from`, `import '…'`, `import('…')`. */
function imports() {
  const pattern = /(?:\bfrom|\bimport)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g
  return new Map(
    files.map((file) => {
      const text = sources.get(file).replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
      const targets = [...text.matchAll(pattern)].map((match) => join(dirname(file), match[1]))
      return [file, [...new Set(targets)].filter((target) => sources.has(target))]
    }),
  )
}

/** The folders of src/web that each folder of src/web imports. The files beside them put the folders together. */
function webFolderImports() {
  const webFolder = (file) => /^src\/web\/[^/]+(?=\/)/.exec(file)?.[0]
  const graph = new Map(
    files.flatMap((file) => (webFolder(file) === undefined ? [] : [[webFolder(file), []]])),
  )
  for (const [file, targets] of imports()) {
    const others = targets.map(webFolder).filter((other) => graph.has(other) && other !== webFolder(file))
    graph.get(webFolder(file))?.push(...others)
  }
  return graph
}

/** Strongly connected components of more than one file or folder (Tarjan), each in the order of one of its cycles. */
function cycles(graph) {
  const index = new Map()
  const low = new Map()
  const stack = []
  const found = []
  const visit = (file) => {
    index.set(file, index.size)
    low.set(file, index.get(file))
    stack.push(file)
    for (const target of graph.get(file)) {
      if (!index.has(target)) visit(target)
      if (stack.includes(target)) low.set(file, Math.min(low.get(file), low.get(target)))
    }
    if (low.get(file) !== index.get(file)) return
    const component = stack.splice(stack.indexOf(file))
    if (component.length > 1 || graph.get(file).includes(file)) found.push(component)
  }
  for (const file of graph.keys()) if (!index.has(file)) visit(file)
  return found.map((component) => shortestCycle(graph, new Set(component)))
}

/** A shortest cycle through the first member of a component, for a readable report. */
function shortestCycle(graph, component) {
  const [start] = component
  const paths = [[start]]
  for (const path of paths) {
    for (const target of graph.get(path.at(-1))) {
      if (target === start) return [...path, `${start} (${component.size} in total)`]
      if (component.has(target) && !path.includes(target) && !paths.some((other) => other.at(-1) === target))
        paths.push([...path, target])
    }
  }
  return [...component]
}
