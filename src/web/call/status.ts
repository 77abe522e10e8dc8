/** How a call ended, or that it has not. */
export type Status = 'success' | 'error' | 'descendant_error' | 'running'

export const STATUS_WORDS: Readonly<Record<Status, string>> = {
  success: 'succeeded',
  error: 'failed',
  descendant_error: 'a call within it failed',
  running: 'running',
}

export function isStatus(text: unknown): text is Status {
  return typeof text === 'string' && Object.hasOwn(STATUS_WORDS, text)
}
