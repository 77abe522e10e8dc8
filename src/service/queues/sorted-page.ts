/** Sorts and cuts lists that are in memory anyway: the queues of a project, the items of a queue. */

interface Request<Field> {
  readonly sort_by?:
    | readonly { readonly field: Field; readonly direction: 'asc' | 'desc' }[]
    | null
    | undefined
  readonly limit?: number | null | undefined
  readonly offset?: number | null | undefined
}

/** Equal rows keep their order. Rows without a value come last in both directions. */
export function sortedPage<Field extends string, Row extends Readonly<Record<Field, string | null>>>(
  rows: readonly Row[],
  { sort_by, limit, offset }: Request<Field>,
): Row[] {
  const sorted = [...rows].sort((a, b) => {
    for (const { field, direction } of sort_by ?? []) {
      const order = compare(a[field], b[field], direction === 'asc' ? 1 : -1)
      if (order !== 0) return order
    }
    return 0
  })
  const first = offset ?? 0
  return sorted.slice(first, first + (limit ?? sorted.length))
}

function compare(a: string | null, b: string | null, sign: 1 | -1): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  return a < b ? -sign : sign
}
