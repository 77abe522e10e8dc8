import { type Status, STATUS_LABELS } from './status.ts'
import styles from './status-icon.module.css'

/** Status icon. Each status has its own shape, so that color is not the only difference. */
export function StatusIcon({
  status,
  isStale = false,
}: {
  readonly status: Status
  readonly isStale?: boolean
}) {
  const label = isStale ? 'no end received' : STATUS_LABELS[status]
  return (
    <svg
      className={styles[isStale ? 'stale' : status]}
      width="16"
      height="16"
      viewBox="0 0 14 14"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      {status === 'success' && <path d="M3.500 7.300l2.400 2.400 4.600-5" />}
      {status === 'error' && <path d="M4 4l6 6M10 4l-6 6" />}
      {status === 'descendant_error' && <path d="M7 3v4.800M7 10.700v.1" />}
      {status === 'running' && (
        <circle cx="7" cy="7" r="4.500" strokeDasharray={isStale ? '2 2.500' : '18 12'} />
      )}
    </svg>
  )
}
