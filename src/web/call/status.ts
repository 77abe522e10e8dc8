/** Status of a call. */
export type Status = 'success' | 'error' | 'descendant_error' | 'running'

export const STATUS_LABELS: Readonly<Record<Status, string>> = {
  success: 'success',
  error: 'error',
  descendant_error: 'descendant error',
  running: 'running',
}

export function isStatus(text: unknown): text is Status {
  return typeof text === 'string' && Object.hasOwn(STATUS_LABELS, text)
}
