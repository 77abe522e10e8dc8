/** Kind of a call, for icons and colors. */
export type CallKind = 'llm' | 'tool' | 'agent' | 'retrieval' | 'op'

const NAME_PATTERNS: readonly (readonly [CallKind, RegExp])[] = [
  [
    'llm',
    /chat\.completions|completions?\.create|messages\.create|responses\.create|generate_content|litellm|\bllm\b|chat_?model|chatopenai|chatanthropic/i,
  ],
  ['retrieval', /retriev|embed|vector|rerank|search/i],
  ['tool', /tool|function_call/i],
  ['agent', /agent|crew|graph/i],
]

/** Guesses the kind from the name, until the attributes are loaded. */
export function kindFromName(name: string): CallKind {
  return NAME_PATTERNS.find(([, pattern]) => pattern.test(name))?.[0] ?? 'op'
}

/** Reads the kind from attributes: Weave's `kind`, OpenInference, or OpenTelemetry GenAI. */
export function kindFromAttributes(attributes: string): CallKind | undefined {
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
    case 'mcp':
      return 'tool'
    case 'agent':
    case 'invoke_agent':
    case 'create_agent':
    case 'workflow':
      return 'agent'
    case 'retriever':
    case 'embedding':
    case 'embeddings':
    case 'reranker':
    case 'memory':
    case 'search':
      return 'retrieval'
    default:
      return undefined
  }
}
