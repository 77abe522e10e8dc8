/**
 * A pattern that finds a text in JSON, in either case and however it was escaped: `ü` may be spelled `\u00fc`, and a
 * quote always is spelled with a backslash.
 */
export function textPattern(text: string): RegExp {
  const parts = Array.from(text).map((character) => {
    const spellings = new Set<string>()
    for (const form of [character, character.toLowerCase(), character.toUpperCase()]) {
      const escaped = JSON.stringify(form).slice(1, -1)
      spellings.add(quoted(escaped))
      spellings.add(quoted(unicodeEscapes(form)))
    }
    if (character === '/') spellings.add(String.raw`\\/`)
    return `(?:${[...spellings].join('|')})`
  })
  return new RegExp(parts.join(''), 'gi')
}

function quoted(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
}

function unicodeEscapes(text: string): string {
  let escapes = ''
  for (let i = 0; i < text.length; i++) {
    escapes += String.raw`\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`
  }
  return escapes
}
