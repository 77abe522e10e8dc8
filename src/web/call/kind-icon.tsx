import { Icon } from '../ui/icon.tsx'
import type { CallKind } from './call-kind.ts'
import styles from './kind-icon.module.css'

interface Props {
  readonly kind: CallKind
  readonly isError: boolean
  readonly isRunning: boolean
}

const KIND_LABELS: Readonly<Record<CallKind, string>> = {
  llm: 'LLM',
  tool: 'tool',
  agent: 'agent',
  retrieval: 'retrieval',
  op: 'call',
}

/** Icon of a call kind, with error and running state. */
export function KindIcon({ kind, isError, isRunning }: Props) {
  const state = isError ? 'error' : isRunning ? 'running' : undefined
  const label = state === undefined ? KIND_LABELS[kind] : `${KIND_LABELS[kind]}, ${state}`
  return (
    <span
      className={styles.icon}
      data-kind={kind}
      data-state={state}
      role="img"
      aria-label={label}
      title={label}
    >
      <Icon name={isError ? 'close' : kind} size={14} />
    </span>
  )
}
