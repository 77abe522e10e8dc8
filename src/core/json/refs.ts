const REF_START = Buffer.from('"weave:///')

/**
 * Returns the distinct refs among the string values, in order. The filters `input_refs` and `output_refs` use them.
 */
export function findRefs(json: Buffer): string[] {
  let at = json.indexOf(REF_START)
  if (at === -1) return []
  const refs = new Set<string>()
  for (; at !== -1; at = json.indexOf(REF_START, at + REF_START.length)) {
    const end = json.indexOf(0x22, at + 1)
    if (end === -1) break
    const text = json.toString('utf8', at + 1, end)
    // A key is followed by a colon. A string with escapes is not a ref.
    if (!text.includes('\\') && !isKey(json, end + 1)) refs.add(text)
  }
  return [...refs]
}

function isKey(json: Buffer, after: number): boolean {
  let i = after
  while (json[i] === 0x20 || json[i] === 0x0a || json[i] === 0x0d || json[i] === 0x09) i++
  return json[i] === 0x3a
}
