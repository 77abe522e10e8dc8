import type { Settings } from './settings.ts'

/** What the first process and its workers tell each other. Settings hold secrets: this way no other process sees them. */
export type ToWorker =
  | { readonly kind: 'start'; readonly settings: Settings }
  | { readonly kind: 'drain' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'metrics'; readonly id: number; readonly text: string | undefined }

export type FromWorker =
  | { readonly kind: 'hello' }
  | { readonly kind: 'ready'; readonly url: string }
  | { readonly kind: 'failed'; readonly message: string; readonly code?: string; readonly port?: number }
  | { readonly kind: 'metrics'; readonly id: number }

/** Others use the channel too: Node itself, and the metrics library. */
export function isToWorker(message: unknown): message is ToWorker {
  return isOurs(message)
}

export function isFromWorker(message: unknown): message is FromWorker {
  return isOurs(message)
}

function isOurs(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'kind' in message
}
