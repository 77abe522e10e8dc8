/** Kinds of calls, in `attributes.kind`. */
const KINDS = [
  'llm',
  'embedding',
  'tool',
  'agent',
  'workflow',
  'retriever',
  'reranker',
  'guardrail',
  'evaluator',
  'prompt',
  'memory',
  'mcp',
  'chain',
  'other',
] as const

export type Kind = (typeof KINDS)[number]

/**
 * Kinds whose usage counts. An agent reports the sum of its model calls, which would count twice.
 */
export const INFERENCE_KINDS: ReadonlySet<string> = new Set<Kind>(['llm', 'embedding', 'reranker'])

export const GENAI_OPERATIONS = {
  chat: 'llm',
  text_completion: 'llm',
  generate_content: 'llm',
  completion: 'llm',
  response: 'llm',
  responses: 'llm',
  embeddings: 'embedding',
  execute_tool: 'tool',
  invoke_agent: 'agent',
  create_agent: 'agent',
  plan: 'agent',
  agent_step: 'agent',
  invoke_workflow: 'workflow',
  retrieval: 'retriever',
  rerank: 'reranker',
  create_memory: 'memory',
  update_memory: 'memory',
  upsert_memory: 'memory',
  search_memory: 'memory',
  delete_memory: 'memory',
  create_memory_store: 'memory',
  delete_memory_store: 'memory',
} as const satisfies Record<string, Kind>

/** Names of kinds that dialects use for the same things. */
export const KIND_NAMES = {
  ...Object.fromEntries(KINDS.map((kind) => [kind, kind])),
  generation: 'llm',
  chat_model: 'llm',
  chat: 'llm',
  completion: 'llm',
  rerank: 'reranker',
  retrieval: 'retriever',
  embeddings: 'embedding',
  task: 'workflow',
  tool_call: 'tool',
  executor: 'agent',
  evaluation: 'evaluator',
  human_evaluator: 'evaluator',
  unknown: 'other',
  span: 'other',
  event: 'other',
  default: 'other',
  cached: 'llm',
  parser: 'chain',
  pipeline: 'workflow',
} as Readonly<Record<string, Kind>>
