/** Kind of a call, for icons and colors: the values of `attributes.kind` of calls that were made from spans. */
export type CallKind =
  | 'llm'
  | 'embedding'
  | 'tool'
  | 'agent'
  | 'workflow'
  | 'retriever'
  | 'reranker'
  | 'guardrail'
  | 'evaluator'
  | 'prompt'
  | 'memory'
  | 'mcp'
  | 'chain'
  | 'other'

/** Related kinds share a color, which is the token `--kind-<color>`. */
export type KindColor = 'llm' | 'tool' | 'agent' | 'retrieval' | 'check' | 'other'

export const KIND_COLORS: Readonly<Record<CallKind, KindColor>> = {
  llm: 'llm',
  embedding: 'retrieval',
  tool: 'tool',
  agent: 'agent',
  workflow: 'agent',
  retriever: 'retrieval',
  reranker: 'retrieval',
  guardrail: 'check',
  evaluator: 'check',
  prompt: 'llm',
  memory: 'retrieval',
  mcp: 'tool',
  chain: 'agent',
  other: 'other',
}

/** The CSS color of a kind. */
export function kindColor(kind: CallKind): string {
  return `var(--kind-${KIND_COLORS[kind]})`
}

export const KIND_COLOR_LABELS: Readonly<Record<KindColor, string>> = {
  llm: 'LLM',
  tool: 'tool',
  agent: 'agent',
  retrieval: 'retrieval',
  check: 'evaluator',
  other: 'other',
}

const NAME_PATTERNS: readonly (readonly [CallKind, RegExp])[] = [
  [
    'llm',
    /chat\.completions|completions?\.create|messages\.create|responses\.create|generate_content|litellm|\bllm\b|chat_?model|chatopenai|chatanthropic/i,
  ],
  ['embedding', /embed/i],
  ['reranker', /rerank/i],
  ['retriever', /retriev|vector|search/i],
  ['tool', /tool|function_call/i],
  ['agent', /agent|crew|graph/i],
]

/** Guesses the kind from the name, until the attributes are loaded. */
export function kindFromName(name: string): CallKind {
  return NAME_PATTERNS.find(([, pattern]) => pattern.test(name))?.[0] ?? 'other'
}

/** Other names of kinds: operations of OpenTelemetry GenAI, and what older SDKs write. */
const KIND_ALIASES: Readonly<Record<string, CallKind>> = {
  chat: 'llm',
  text_completion: 'llm',
  generate_content: 'llm',
  embeddings: 'embedding',
  execute_tool: 'tool',
  invoke_agent: 'agent',
  create_agent: 'agent',
  invoke_workflow: 'workflow',
  task: 'workflow',
  retrieval: 'retriever',
  search: 'retriever',
  rerank: 'reranker',
  scorer: 'evaluator',
  evaluation: 'evaluator',
}

/** Large attributes are not searched completely. Calls made from spans begin with their kind. */
const MAX_SEARCHED_CHARACTERS = 50_000

/** Reads the kind from attributes: `kind`, OpenInference, or OpenTelemetry GenAI. */
export function kindFromAttributes(attributes: string): CallKind | undefined {
  const text = attributes.slice(0, MAX_SEARCHED_CHARACTERS)
  const found =
    /"kind"\s*:\s*"(\w+)"/.exec(text)?.[1] ??
    /"openinference\.span\.kind"\s*:\s*"(\w+)"/.exec(text)?.[1] ??
    /"gen_ai\.operation\.name"\s*:\s*"(\w+)"/.exec(text)?.[1]
  if (found === undefined) return undefined
  const name = found.toLowerCase()
  if (Object.hasOwn(KIND_COLORS, name)) return name as CallKind
  return Object.hasOwn(KIND_ALIASES, name) ? KIND_ALIASES[name] : undefined
}
