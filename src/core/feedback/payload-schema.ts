/** Which values payloads hold, found by looking at some of them. */

export interface PayloadPath {
  readonly json_path: string
  readonly value_type: 'numeric' | 'boolean' | 'categorical'
}

type Kind = 'null' | 'boolean' | 'number' | 'other'

/** Paths that statistics can ask for; those through positions of lists are not among them. */
export function payloadPaths(payloads: readonly string[]): PayloadPath[] {
  const found = new Map<string, Set<Kind>>()
  // The numbers are only looked at for being numbers.
  for (const payload of payloads) visit(JSON.parse(payload), '', found)
  return [...found]
    .filter(([path]) => /^[a-zA-Z0-9_. ]+$/.test(path))
    .map(([json_path, kinds]) => ({ json_path, value_type: typeOf(kinds) }))
    .sort((a, b) => (a.json_path < b.json_path ? -1 : 1))
}

function visit(value: unknown, path: string, found: Map<string, Set<Kind>>): void {
  if (Array.isArray(value)) {
    // A list of plain values is a value itself; what is within its objects has no path.
    for (const item of value) if (typeof item !== 'object' || item === null) note(item, path, found)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      if (key.includes('.') || key.trim() === '') continue
      visit(member, path === '' ? key : `${path}.${key}`, found)
    }
  } else {
    note(value, path, found)
  }
}

function note(value: unknown, path: string, found: Map<string, Set<Kind>>): void {
  const kinds = found.get(path) ?? new Set()
  found.set(path, kinds.add(kindOf(value)))
}

function kindOf(value: unknown): Kind {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'number' ? 'number' : 'other'
}

function typeOf(kinds: ReadonlySet<Kind>): PayloadPath['value_type'] {
  if (kinds.has('other')) return 'categorical'
  if (!kinds.has('number')) return 'boolean'
  return kinds.has('boolean') ? 'categorical' : 'numeric'
}
