import { type Remote, wrap } from 'comlink'
import { ApiError } from '../../../client/browser/api-error.ts'
import { reportUnavailableShards, shardsOf } from '../../api/unavailable-shards.ts'
import { JsonIndex } from '../../json/json-index.ts'
import type { JsonSource } from '../../json/json-source.ts'
import type { DocumentName, OpenedCall, PayloadWorker } from './payload-worker.ts'

/** A call with its documents. */
export interface CallPayloads extends Pick<
  OpenedCall,
  'conversation' | 'kind' | 'hasSpan' | 'events' | 'links'
> {
  /** All fields except the documents. */
  readonly rest: Readonly<Record<string, unknown>>
  readonly documents: Readonly<Record<DocumentName, JsonSource>>
  /** Releases the documents in the worker. */
  close(): void
}

let worker: Remote<PayloadWorker> | undefined

/** Loads a call. Throws `not_found` if it does not exist. */
export async function openCall(project_id: string, call_id: string): Promise<CallPayloads> {
  worker ??= wrap<PayloadWorker>(
    new Worker(new URL('payload-worker.ts', import.meta.url), { type: 'module' }),
  )
  const payloads = worker
  const call = await payloads.open(project_id, call_id)
  if ('code' in call) {
    reportUnavailableShards(shardsOf(call.extra))
    throw new ApiError(call.code, call.reason, { extra: call.extra })
  }
  return {
    ...call,
    rest: JSON.parse(call.rest) as Record<string, unknown>,
    documents: Object.fromEntries(
      Object.entries(call.documents).map(([name, { size, text }]) => [
        name,
        text === undefined
          ? documentInWorker(payloads, call.key, name as DocumentName, size)
          : new JsonIndex(text),
      ]),
    ) as CallPayloads['documents'],
    close: () => void payloads.close(call.key),
  }
}

function documentInWorker(
  payloads: Remote<PayloadWorker>,
  key: number,
  name: DocumentName,
  size: number,
): JsonSource {
  return {
    size,
    root: () => payloads.root(key, name),
    children: (...range) => payloads.children(key, name, ...range),
    find: (text) => payloads.find(key, name, text),
    pathTo: (offset) => payloads.pathTo(key, name, offset),
    slice: (...range) => payloads.slice(key, name, ...range),
    stringText: (...range) => payloads.stringText(key, name, ...range),
    bytes: (...range) => payloads.bytes(key, name, ...range),
  }
}
