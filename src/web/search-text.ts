/** Search parameters are plain text, so that people can read and write URLs. */
export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(search).filter(([, value]) => typeof value === 'string' && value !== '')
  const text = new URLSearchParams(entries as [string, string][]).toString()
  // Filters often contain these characters, and a query string does not need them escaped.
  return text === '' ? '' : `?${text.replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%2F', '/')}`
}
