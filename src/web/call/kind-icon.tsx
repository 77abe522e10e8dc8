import { Icon } from '../ui/icon.tsx'
import type { CallKind } from './kind.ts'
import styles from './kind-icon.module.css'

interface Props {
  readonly kind: CallKind
  readonly isFailed: boolean
  readonly isRunning: boolean
}

const WORDS: Readonly<Record<CallKind, string>> = {
  llm: 'model',
  tool: 'tool',
  agent: 'agent',
  retrieval: 'retrieval',
  op: 'call',
}

/** What sort of call it is, and whether it failed or still runs. */
export function KindIcon({ kind, isFailed, isRunning }: Props) {
  const state = isFailed ? 'failed' : isRunning ? 'running' : undefined
  const words = state === undefined ? WORDS[kind] : `${WORDS[kind]}, ${state}`
  return (
    <span
      className={styles.icon}
      data-kind={kind}
      data-state={state}
      role="img"
      aria-label={words}
      title={words}
    >
      <Icon name={isFailed ? 'close' : kind} size={14} />
    </span>
  )
}
