import { OTLP_JSON, type OtlpRequest } from '../../contract/otlp.ts'
import type { TypedBytes } from '../../contract/operation.ts'
import type { Rejection } from '../../otlp/model.ts'
import { encodeResponse, type Signal } from '../../otlp/wire/response.ts'
import type { Caller } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import type { OtlpExport, OtlpOptions } from './otlp-export.ts'
import { storeLogs } from './logs.ts'
import { storeSpans } from './spans.ts'

/** Handlers for exports of OpenTelemetry: spans become calls, log records add to them. */
export function otlpHandlers(options: OtlpOptions): Pick<Handlers, 'otlp_traces' | 'otlp_logs'> {
  const handler =
    (signal: Signal, store: (options: OtlpOptions, sent: OtlpExport) => Promise<readonly Rejection[]>) =>
    async ({ body, content_type, project_id }: OtlpRequest, caller: Caller): Promise<TypedBytes> => {
      const encoding = content_type === OTLP_JSON ? 'json' : 'protobuf'
      const rejected = await store(options, { body, encoding, project: project_id ?? undefined, caller })
      return { content_type, body: encodeResponse(signal, encoding, rejected) }
    }
  return { otlp_traces: handler('traces', storeSpans), otlp_logs: handler('logs', storeLogs) }
}
