import type { SpanAttribute } from '../../contract/agents/span-attributes.ts'
import { type AttributeType, customAttributes } from './custom-attributes.ts'

/** Counts the spans that have each custom attribute. An attribute with values of two types counts as two. */
export class AttributeCounts {
  readonly #counts = new Map<string, { key: string; type: AttributeType; count: number }>()

  get size(): number {
    return this.#counts.size
  }

  add(attributes: string): void {
    const counted = new Set<string>()
    for (const { key, type } of customAttributes(attributes)) {
      const id = `${type} ${key}`
      if (counted.has(id)) continue
      counted.add(id)
      const known = this.#counts.get(id)
      if (known === undefined) this.#counts.set(id, { key, type, count: 1 })
      else known.count++
    }
  }

  /** The most frequent first. */
  list(): SpanAttribute[] {
    return [...this.#counts.values()]
      .toSorted((a, b) => b.count - a.count || compare(a.key, b.key) || compare(a.type, b.type))
      .map(({ key, type, count }) => ({
        source: `custom_attrs_${type}` as const,
        key,
        value_type: type,
        span_count: count,
      }))
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
