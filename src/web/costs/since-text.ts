/** From when a price is valid; built-in ones mostly from the beginning of time. */
export function sinceText(effective_date: string | undefined): string {
  const day = (effective_date ?? '').slice(0, 10)
  return day === '1970-01-01' ? 'always' : day
}
