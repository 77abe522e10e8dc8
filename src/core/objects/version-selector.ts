/** How one version of an object is asked for. */
export type Selector =
  | { readonly by: 'latest' }
  | { readonly by: 'index'; readonly version_index: number }
  | { readonly by: 'digest'; readonly digest: string }
  | { readonly by: 'alias'; readonly alias: string }

/** What a `digest` argument means: `latest`, `v3`, content (43 letters and digits, or 64 hex), else an alias. */
export function selectorOf(digest: string): Selector {
  if (digest === 'latest') return { by: 'latest' }
  const version = /^v(\d{1,9})$/.exec(digest)
  if (version !== null) return { by: 'index', version_index: Number(version[1]) }
  if (/^[A-Za-z0-9]{43}$|^[0-9a-f]{64}$/.test(digest)) return { by: 'digest', digest }
  return { by: 'alias', alias: digest }
}
