/** The providers that are known without an object. All of them speak the protocol of OpenAI. */
export const BUILT_IN = {
  openai: { secret: 'OPENAI_API_KEY', models: /^(?:gpt-|chatgpt-|o\d)/, limitKey: 'max_completion_tokens' },
  anthropic: { secret: 'ANTHROPIC_API_KEY', models: /^claude-/, limitKey: 'max_tokens' },
  gemini: { secret: 'GEMINI_API_KEY', models: /^gemini-/, limitKey: 'max_tokens' },
} as const

export type BuiltInProvider = keyof typeof BUILT_IN

/** Access of the server to a built-in provider. */
export interface ProviderDefault {
  readonly baseUrl: string
  /** For all projects; undefined: a project needs a secret. */
  readonly apiKey: string | undefined
}
