interface Excerpt {
  readonly excerpt: string
  readonly ranges: readonly (readonly [number, number])[]
}

/** Characters before the first match. Few, so that a narrow column shows the match. */
const CONTEXT_CHARACTERS = 24

/**
 * The excerpt of a match as one line: it begins shortly before the match, and JSON within JSON loses its escapes, which a
 * reader does not look for.
 */
export function matchExcerpt({ excerpt, ranges }: Excerpt): {
  readonly text: string
  readonly ranges: readonly (readonly [number, number])[]
  readonly isCut: boolean
} {
  const start = excerptStart(excerpt, ranges[0]?.[0] ?? 0)
  let text = ''
  let at = start
  const moved = ranges.map(([from, to]) => {
    text += readable(excerpt.slice(at, from))
    const movedFrom = text.length
    text += excerpt.slice(from, to)
    at = to
    return [movedFrom, text.length] as const
  })
  return { text: text + readable(excerpt.slice(at)), ranges: moved, isCut: start > 0 }
}

/** At the beginning of a word, if there is one. */
function excerptStart(excerpt: string, matchAt: number): number {
  const earliest = matchAt - CONTEXT_CHARACTERS
  if (earliest <= 0) return 0
  const space = excerpt.slice(earliest, matchAt).search(/\s\S/)
  if (space !== -1) return earliest + space + 1
  // Not in the middle of a character.
  return (excerpt.charCodeAt(earliest) & 0xfc00) === 0xdc00 ? earliest + 1 : earliest
}

function readable(text: string): string {
  return text.replaceAll(/\\+(["'/])/g, '$1').replaceAll(/(?:\\+[nrt]|\s)+/g, ' ')
}
