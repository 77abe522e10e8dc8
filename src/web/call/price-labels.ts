/** Labels for the source and the effective date of a price. */

const PROVIDER_NAMES: ReadonlyMap<string, string> = new Map([
  ['anthropic', 'Anthropic'],
  ['aws', 'AWS'],
  ['azure', 'Azure'],
  ['cohere', 'Cohere'],
  ['deepseek', 'DeepSeek'],
  ['google', 'Google'],
  ['groq', 'Groq'],
  ['mistral', 'Mistral'],
  ['openai', 'OpenAI'],
  ['openrouter', 'OpenRouter'],
  ['x-ai', 'xAI'],
])

export const PROJECT_PRICE = 'Project price'

export function builtInPriceText(provider_id: string): string {
  return `Built-in price (${PROVIDER_NAMES.get(provider_id) ?? provider_id})`
}

/** The day from which a price is valid; undefined for most built-in prices, which are valid from the epoch. */
export function effectiveDay(effective_date: string | undefined): string | undefined {
  const day = (effective_date ?? '').slice(0, 10)
  return day === '' || day === '1970-01-01' ? undefined : day
}
