import type { ListQuestion } from './list-question.ts'
import { ToolButton } from './tool-button.tsx'
import styles from './traces-page.module.css'

interface Props {
  readonly question: ListQuestion
  readonly isLive: boolean
  readonly onToggle: () => void
}

/** Why new calls cannot appear by themselves now: only in the order of time is it known where they belong. */
export function whyNotLive(question: ListQuestion): string | undefined {
  if (question.trouble !== undefined) return 'Live rests: the filter cannot be read'
  if (question.text !== undefined) return 'Live rests while a text is searched for'
  if (question.sort !== undefined) return 'Live rests in any other order than the newest first'
  return undefined
}

export function LiveButton({ question, isLive, onToggle }: Props) {
  const why = whyNotLive(question)
  if (why !== undefined) return <ToolButton icon="live" label="Live" tip={why} isOn={false} isDisabled />
  return (
    <ToolButton
      icon="live"
      label="Live"
      tip={isLive ? 'Live: new calls appear by themselves' : 'Show new calls as they arrive (L)'}
      isOn={isLive}
      iconClass={isLive ? styles.beating : undefined}
      onClick={onToggle}
    />
  )
}
