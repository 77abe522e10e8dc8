/** The spans of a trace in the order of their tree. */

interface Node {
  readonly id: string
  readonly parent_id?: string
}

/** A span on the way down, and again when everything below it has been visited. */
export interface Visit<Row> {
  readonly row: Row
  /** The span above it in the tree. */
  readonly parent: Row | undefined
  readonly isEnd: boolean
}

/**
 * Depth first; the spans below one stay in their order. A span whose parent is missing is a root, and so is the first one of
 * a cycle.
 */
export function* visitSpans<Row extends Node>(rows: readonly Row[]): Generator<Visit<Row>> {
  const ids = new Set(rows.map((row) => row.id))
  const children = new Map<string, Row[]>()
  const roots: Row[] = []
  for (const row of rows) {
    const { parent_id = '' } = row
    const siblings = ids.has(parent_id) ? (children.get(parent_id) ?? []) : roots
    siblings.push(row)
    if (siblings !== roots) children.set(parent_id, siblings)
  }
  const seen = new Set<string>()
  // Without recursion: a trace may be as deep as it has spans.
  for (const root of [...roots, ...rows]) {
    const stack: Visit<Row>[] = [{ row: root, parent: undefined, isEnd: false }]
    for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
      const { row, isEnd } = visit
      if (isEnd) yield visit
      if (isEnd || seen.has(row.id)) continue
      seen.add(row.id)
      yield visit
      stack.push({ ...visit, isEnd: true })
      for (const child of (children.get(row.id) ?? []).toReversed())
        stack.push({ row: child, parent: row, isEnd: false })
    }
  }
}
