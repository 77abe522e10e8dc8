import { Icon, type IconName } from '../ui/icon.tsx'
import { type CallKind, kindColor } from './call-kind.ts'
import styles from './kind-icon.module.css'

interface Props {
  readonly kind: CallKind
  readonly isError: boolean
  readonly isRunning: boolean
}

const KIND_LABELS: Readonly<Record<CallKind, string>> = {
  llm: 'LLM',
  embedding: 'embedding',
  tool: 'tool',
  agent: 'agent',
  workflow: 'workflow',
  retriever: 'retriever',
  reranker: 'reranker',
  guardrail: 'guardrail',
  evaluator: 'evaluator',
  prompt: 'prompt',
  memory: 'memory',
  mcp: 'MCP',
  chain: 'chain',
  other: 'call',
}

const KIND_ICONS: Readonly<Record<CallKind, IconName>> = {
  llm: 'llm',
  embedding: 'embedding',
  tool: 'tool',
  agent: 'agent',
  workflow: 'workflow',
  retriever: 'retrieval',
  reranker: 'reranker',
  guardrail: 'guardrail',
  evaluator: 'evaluations',
  prompt: 'prompt',
  memory: 'memory',
  mcp: 'mcp',
  chain: 'link',
  other: 'op',
}

/** Icon of a call kind, with error and running state. */
export function KindIcon({ kind, isError, isRunning }: Props) {
  const state = isError ? 'error' : isRunning ? 'running' : undefined
  const label = state === undefined ? KIND_LABELS[kind] : `${KIND_LABELS[kind]}, ${state}`
  return (
    <span
      className={styles.icon}
      data-running={(!isError && isRunning) || undefined}
      style={{ color: isError ? 'var(--bad)' : kindColor(kind) }}
      role="img"
      aria-label={label}
      title={label}
    >
      <Icon name={isError ? 'close' : KIND_ICONS[kind]} size={14} />
    </span>
  )
}
