/** URL search parameters of the costs page. */
export interface CostsSearch {
  /** See time/range.ts. */
  range?: string
  /** Show prices of models whose name contains this text. */
  find?: string
  /** `all`: include built-in prices. */
  prices?: string
  /** The model whose price form is open; `*` for the form of a new price. */
  model?: string
  /** `tables`: tables instead of charts. */
  view?: string
}

const KEYS = ['range', 'find', 'prices', 'model', 'view'] as const

export function readCostsSearch(search: Readonly<Record<string, unknown>>): CostsSearch {
  const read: CostsSearch = {}
  for (const key of KEYS) {
    const value = search[key]
    if (typeof value === 'string' && value !== '') read[key] = value
  }
  return read
}
