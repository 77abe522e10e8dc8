/** Parsing takes quadratic time in some characters. What a person or a model writes has far fewer. */
const MAX_OF_ONE = 3000
const SLOW_CHARACTERS = ['[', '*', '_', '|', '`', '>', '<', '!', '~'] as const
/** Each level of nesting needs stack. */
const MAX_NESTING = 20
const DEEP_LINE = new RegExp(`^(?:\\s*[>*+-]){${MAX_NESTING},}`, 'm')

/** Whether a text is rendered as Markdown. Text that would block the page is shown as it is. */
export function isRenderable(text: string): boolean {
  if (DEEP_LINE.test(text)) return false
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return SLOW_CHARACTERS.every((character) => (counts.get(character) ?? 0) <= MAX_OF_ONE)
}
