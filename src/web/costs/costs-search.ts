/** What the page of costs shows, all of it in its address. */
export interface CostsSearch {
  /** See time/range.ts. */
  range?: string
  /** Models whose names hold this, in the list of prices. */
  find?: string
  /** `all`: the built-in prices too. */
  prices?: string
  /** The model that a price is being set for. */
  model?: string
  /** `tables`: numbers in place of pictures. */
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
