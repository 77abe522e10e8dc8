/**
 * A case-insensitive pattern that finds a text in JSON source in any spelling: `ü` may be written `\u00fc`, and a
 * quote is always escaped.
 */
export function textPattern(text: string): RegExp {
  const parts = Array.from(text).map((character) => {
    const spellings = new Set<string>()
    for (const form of [character, character.toLowerCase(), character.toUpperCase()]) {
      const escaped = JSON.stringify(form).slice(1, -1)
      spellings.add(escapeRegExp(escaped))
      spellings.add(escapeRegExp(unicodeEscapes(form)))
    }
    if (character === '/') spellings.add(String.raw`\\/`)
    return `(?:${[...spellings].join('|')})`
  })
  return new RegExp(parts.join(''), 'gi')
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
}

function unicodeEscapes(text: string): string {
  let escapes = ''
  for (let i = 0; i < text.length; i++) {
    escapes += String.raw`\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`
  }
  return escapes
}
