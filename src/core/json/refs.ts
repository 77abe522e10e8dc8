const OPENING = Buffer.from('"weave:///')

/** Every distinct string value that is a ref, in order; what `input_refs` and `output_refs` filters look at. */
export function refsIn(json: Buffer): string[] {
  let at = json.indexOf(OPENING)
  if (at === -1) return []
  const refs = new Set<string>()
  for (; at !== -1; at = json.indexOf(OPENING, at + OPENING.length)) {
    const end = json.indexOf(0x22, at + 1)
    if (end === -1) break
    const text = json.toString('utf8', at + 1, end)
    // Keys are followed by a colon, refs with escapes are no refs of ours.
    if (!text.includes('\\') && !isKey(json, end + 1)) refs.add(text)
  }
  return [...refs]
}

function isKey(json: Buffer, after: number): boolean {
  let i = after
  while (json[i] === 0x20 || json[i] === 0x0a || json[i] === 0x0d || json[i] === 0x09) i++
  return json[i] === 0x3a
}
