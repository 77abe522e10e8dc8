/** Syntax tree of a filter. */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Filter[] }
  | { readonly kind: 'not'; readonly operand: Filter }
  | Condition

type Condition =
  | {
      readonly kind: 'compare'
      readonly field: string
      readonly operator: ComparisonOperator
      readonly value: FilterValue
    }
  | { readonly kind: 'contains'; readonly field: string; readonly value: string; readonly isNegated: boolean }
  | {
      readonly kind: 'in'
      readonly field: string
      readonly values: readonly FilterValue[]
      readonly isNegated: boolean
    }
  | { readonly kind: 'exists'; readonly field: string; readonly isNegated: boolean }

export type ComparisonOperator = '=' | '!=' | '>' | '>=' | '<' | '<='

/** A literal. Numbers are kept as text, because JavaScript rounds beyond 15 digits. */
export type FilterValue =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string }
  /** In milliseconds, for `latency`. */
  | { readonly kind: 'duration'; readonly ms: number }
  | { readonly kind: 'boolean'; readonly value: boolean }

/** The top-level conditions of a conjunction, for chips. */
export function conjuncts(filter: Filter | undefined): readonly Filter[] {
  if (filter === undefined) return []
  return filter.kind === 'and' ? filter.operands : [filter]
}

export function conjunction(filters: readonly Filter[]): Filter | undefined {
  if (filters.length <= 1) return filters[0]
  return {
    kind: 'and',
    operands: filters.flatMap((filter) => (filter.kind === 'and' ? filter.operands : [filter])),
  }
}
