/** The applied filter and search text of a list. */
export interface FilterInput {
  readonly filter?: string | undefined
  readonly text?: string | undefined
}
