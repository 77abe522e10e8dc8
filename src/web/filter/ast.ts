/** A filter as the parser reads it, the chips show it and the server is asked for it. */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly of: readonly Filter[] }
  | { readonly kind: 'not'; readonly of: Filter }
  | Condition

type Condition =
  | {
      readonly kind: 'compare'
      readonly field: string
      readonly operator: Comparison
      readonly value: Value
    }
  | { readonly kind: 'contains'; readonly field: string; readonly value: string; readonly isNegated: boolean }
  | {
      readonly kind: 'in'
      readonly field: string
      readonly values: readonly Value[]
      readonly isNegated: boolean
    }
  | { readonly kind: 'exists'; readonly field: string; readonly isNegated: boolean }

export type Comparison = '=' | '!=' | '>' | '>=' | '<' | '<='

/** Numbers keep their digits: a browser would round those of more than 15. */
export type Value =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string }
  /** In milliseconds, for `latency`. */
  | { readonly kind: 'duration'; readonly ms: number }
  | { readonly kind: 'boolean'; readonly value: boolean }

/** The conditions that must all hold, for chips. */
export function conjuncts(filter: Filter | undefined): readonly Filter[] {
  if (filter === undefined) return []
  return filter.kind === 'and' ? filter.of : [filter]
}

export function allOf(filters: readonly Filter[]): Filter | undefined {
  if (filters.length <= 1) return filters[0]
  return { kind: 'and', of: filters.flatMap((filter) => (filter.kind === 'and' ? filter.of : [filter])) }
}
