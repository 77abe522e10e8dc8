/** What sort of work a call is, for icons and colours. */
export type CallKind = 'llm' | 'tool' | 'agent' | 'retrieval' | 'op'

const WORDS: readonly (readonly [CallKind, RegExp])[] = [
  [
    'llm',
    /chat\.completions|completions?\.create|messages\.create|responses\.create|generate_content|litellm|\bllm\b|chat_?model|chatopenai|chatanthropic/i,
  ],
  ['retrieval', /retriev|embed|vector|rerank|search/i],
  ['tool', /tool|function_call/i],
  ['agent', /agent|crew|graph/i],
]

/** By its name alone, until more is known. */
export function kindByName(name: string): CallKind {
  return WORDS.find(([, words]) => words.test(name))?.[0] ?? 'op'
}

/** As SDKs say it in attributes: Weave's `kind`, OpenInference's and GenAI's of OpenTelemetry. */
export function kindByAttributes(attributes: string): CallKind | undefined {
  if (attributes.length > 50_000) return undefined
  const found =
    /"kind"\s*:\s*"(\w+)"/.exec(attributes)?.[1] ??
    /"openinference\.span\.kind"\s*:\s*"(\w+)"/.exec(attributes)?.[1] ??
    /"gen_ai\.operation\.name"\s*:\s*"(\w+)"/.exec(attributes)?.[1]
  switch (found?.toLowerCase()) {
    case 'llm':
    case 'chat':
    case 'text_completion':
    case 'generate_content':
      return 'llm'
    case 'tool':
    case 'execute_tool':
      return 'tool'
    case 'agent':
    case 'invoke_agent':
    case 'create_agent':
      return 'agent'
    case 'retriever':
    case 'embedding':
    case 'embeddings':
    case 'reranker':
    case 'search':
      return 'retrieval'
    default:
      return undefined
  }
}
