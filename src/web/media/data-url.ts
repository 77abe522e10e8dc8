/** The header of a data URL such as `data:image/png;base64,iVBOR…`. */
export interface DataUrlHeader {
  readonly type: string
  readonly isBase64: boolean
  /** Length of the header: the offset of the content. */
  readonly length: number
}

const HEADER = /^data:([\w.+-]+\/[\w.+-]+)?((?:;[^,;]*)*),/i

/** `undefined` if the text is not a data URL. The text may be truncated after the header. */
export function parseDataUrlHeader(text: string): DataUrlHeader | undefined {
  const [header, type = 'text/plain', parameters = ''] = HEADER.exec(text) ?? []
  if (header === undefined) return undefined
  return { type: type.toLowerCase(), isBase64: /;base64$/i.test(parameters), length: header.length }
}

/** Decodes a data URL or base64. Throws if the text is invalid. */
export function decodeMedia(text: string, encoding: 'data url' | 'base64'): Uint8Array<ArrayBuffer> {
  if (encoding === 'base64') return decodeBase64(text)
  const header = parseDataUrlHeader(text)
  if (header === undefined) throw new Error('not a data URL')
  const content = percentDecode(text.slice(header.length))
  return header.isBase64 ? decodeBase64(content) : new TextEncoder().encode(content)
}

/** Invalid escapes leave the text unchanged. */
function percentDecode(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Accepts both alphabets: the Gemini SDK writes base64url. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  let characters: string
  try {
    characters = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    throw new Error('not valid base64')
  }
  const bytes = new Uint8Array(characters.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i)
  return bytes
}
