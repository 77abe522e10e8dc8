/** The result of adding calls to a queue, as a sentence. */
export function addedText(result: {
  readonly added: number
  readonly already: number
  readonly missing: number
}): string {
  const parts = [
    result.added === 1 ? '1 call added' : `${result.added} calls added`,
    ...(result.already > 0 ? [`${result.already} already in the queue`] : []),
    ...(result.missing > 0 ? [`${result.missing} not found`] : []),
  ]
  return `${parts.join(', ')}.`
}
