/** Selects one version of an object. */
export type VersionSelector =
  | { readonly by: 'latest' }
  | { readonly by: 'index'; readonly version_index: number }
  | { readonly by: 'digest'; readonly digest: string }
  | { readonly by: 'alias'; readonly alias: string }

/**
 * Parses a `digest` argument: `latest`, `v<number>`, a digest (43 letters and digits, or 64 hex digits), else an
 * alias.
 */
export function parseVersionSelector(digest: string): VersionSelector {
  if (digest === 'latest') return { by: 'latest' }
  const version = /^v(\d{1,9})$/.exec(digest)
  if (version !== null) return { by: 'index', version_index: Number(version[1]) }
  if (/^[A-Za-z0-9]{43}$|^[0-9a-f]{64}$/.test(digest)) return { by: 'digest', digest }
  return { by: 'alias', alias: digest }
}
