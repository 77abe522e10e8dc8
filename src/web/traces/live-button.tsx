import type { ListQuery } from './list-query.ts'
import { ToolbarButton } from './toolbar-button.tsx'
import styles from './traces-page.module.css'

interface Props {
  readonly listQuery: ListQuery
  readonly isLive: boolean
  readonly onToggle: () => void
}

/** Why live mode is paused. The position of a new call in the list is known only for the newest-first order. */
export function livePausedReason(listQuery: ListQuery): string | undefined {
  if (listQuery.filterError !== undefined) return 'Live is paused: the filter is invalid'
  if (listQuery.text !== undefined) return 'Live is paused during text search'
  if (listQuery.sort !== undefined) return 'Live is paused: sort by newest first to resume'
  return undefined
}

export function LiveButton({ listQuery, isLive, onToggle }: Props) {
  const pausedReason = livePausedReason(listQuery)
  if (pausedReason !== undefined)
    return <ToolbarButton icon="live" label="Live" tooltip={pausedReason} isOn={false} isDisabled />
  return (
    <ToolbarButton
      icon="live"
      label="Live"
      tooltip={isLive ? 'Live: new calls appear automatically' : 'Show new calls as they arrive (L)'}
      isOn={isLive}
      iconClass={isLive ? styles.pulsing : undefined}
      onClick={onToggle}
    />
  )
}
