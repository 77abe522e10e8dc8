import type { Settings } from './settings.ts'

/** Messages between the primary process and its workers. Settings contain secrets, so they travel by IPC. */
export type ToWorker =
  | { readonly kind: 'start'; readonly settings: Settings }
  | { readonly kind: 'drain' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'metrics'; readonly id: number; readonly text: string | undefined }

export type FromWorker =
  | { readonly kind: 'hello' }
  | { readonly kind: 'ready'; readonly url: string; readonly grpcUrl: string | undefined }
  | { readonly kind: 'failed'; readonly message: string; readonly code?: string; readonly port?: number }
  | { readonly kind: 'metrics'; readonly id: number }

/** Node and the metrics library use the same IPC channel. */
export function isToWorker(message: unknown): message is ToWorker {
  return isOurs(message)
}

export function isFromWorker(message: unknown): message is FromWorker {
  return isOurs(message)
}

function isOurs(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'kind' in message
}
