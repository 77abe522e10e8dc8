/** What adding calls to a queue came to, in words. */
export function addedText(answer: {
  readonly added: number
  readonly already: number
  readonly missing: number
}): string {
  const parts = [
    answer.added === 1 ? '1 call added' : `${answer.added} calls added`,
    ...(answer.already > 0
      ? [`${answer.already} ${answer.already === 1 ? 'was' : 'were'} in it before`]
      : []),
    ...(answer.missing > 0
      ? [`${answer.missing} ${answer.missing === 1 ? 'is' : 'are'} not there any more`]
      : []),
  ]
  return `${parts.join(', ')}.`
}
