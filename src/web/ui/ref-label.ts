import { parseRef } from '../../client/browser/ref.ts'

const SHORT_DIGEST_CHARACTERS = 6

/**
 * A short name of a ref: `assistant.model` for `weave:///admin/shop/object/assistant:HYBIBm…/attr/model`. Text that is no
 * ref is returned as it is.
 */
export function refLabel(text: string): string {
  const ref = parseRef(text)
  if (ref === undefined) return text
  if (!('name' in ref)) return `${ref.kind} ${ref.kind === 'call' ? ref.id : shortDigest(ref.id)}`
  const path = ref.path.map(({ by, name }) => {
    if (by === 'id') return `[${shortDigest(name)}]`
    return by === 'index' ? `[${name}]` : `.${name}`
  })
  return ref.name + path.join('')
}

function shortDigest(digest: string): string {
  return digest.slice(0, SHORT_DIGEST_CHARACTERS)
}
