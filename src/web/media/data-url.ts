/** `data:image/png;base64,iVBOR…` */
export interface DataUrlHead {
  readonly type: string
  readonly isBase64: boolean
  /** Where its content begins. */
  readonly length: number
}

const HEAD = /^data:([\w.+-]+\/[\w.+-]+)?((?:;[^,;]*)*),/i

/** undefined for a text that is no data URL. It may be cut off after its head. */
export function dataUrlHead(text: string): DataUrlHead | undefined {
  const [head, type = 'text/plain', parameters = ''] = HEAD.exec(text) ?? []
  if (head === undefined) return undefined
  return { type: type.toLowerCase(), isBase64: /;base64$/i.test(parameters), length: head.length }
}

/** Throws for what is no base64, or no data URL. */
export function decodeMedia(text: string, form: 'data url' | 'base64'): Uint8Array<ArrayBuffer> {
  if (form === 'base64') return decodeBase64(text)
  const head = dataUrlHead(text)
  if (head === undefined) throw new Error('it is no data URL')
  const content = unescaped(text.slice(head.length))
  return head.isBase64 ? decodeBase64(content) : new TextEncoder().encode(content)
}

/** Half an escape is left as it is. */
function unescaped(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Either alphabet: Gemini's SDK writes the one for addresses. */
function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  let characters: string
  try {
    characters = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    throw new Error('it is no base64')
  }
  const bytes = new Uint8Array(characters.length)
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i)
  return bytes
}
