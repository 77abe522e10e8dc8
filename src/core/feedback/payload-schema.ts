/** Infers the JSON paths and value types of feedback payloads from a sample. */

export interface PayloadPath {
  readonly json_path: string
  readonly value_type: 'numeric' | 'boolean' | 'categorical'
}

type Kind = 'null' | 'boolean' | 'number' | 'other'

/** Paths that statistics accept; paths through array items are not supported. */
export function payloadPaths(payloads: readonly string[]): PayloadPath[] {
  const found = new Map<string, Set<Kind>>()
  // Only the types matter, so parsing may round numbers.
  for (const payload of payloads) visit(JSON.parse(payload), '', found)
  return [...found]
    .filter(([path]) => /^[a-zA-Z0-9_. ]+$/.test(path))
    .map(([json_path, kinds]) => ({ json_path, value_type: valueType(kinds) }))
    .sort((a, b) => (a.json_path < b.json_path ? -1 : 1))
}

function visit(value: unknown, path: string, found: Map<string, Set<Kind>>): void {
  if (Array.isArray(value)) {
    // An array of scalars counts as a value; objects inside arrays have no path.
    for (const item of value) if (typeof item !== 'object' || item === null) addKind(item, path, found)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      if (key.includes('.') || key.trim() === '') continue
      visit(member, path === '' ? key : `${path}.${key}`, found)
    }
  } else {
    addKind(value, path, found)
  }
}

function addKind(value: unknown, path: string, found: Map<string, Set<Kind>>): void {
  const kinds = found.get(path) ?? new Set()
  found.set(path, kinds.add(kindOf(value)))
}

function kindOf(value: unknown): Kind {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'number' ? 'number' : 'other'
}

function valueType(kinds: ReadonlySet<Kind>): PayloadPath['value_type'] {
  if (kinds.has('other')) return 'categorical'
  if (!kinds.has('number')) return 'boolean'
  return kinds.has('boolean') ? 'categorical' : 'numeric'
}
