import { OTLP_JSON, type OtlpRequest } from '../../contract/otlp.ts'
import type { ExportResponse } from '../../contract/operation.ts'
import { encodeResponse, type Signal } from '../../otlp/wire/response.ts'
import type { Caller } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import type { ExportOutcome, OtlpExport, OtlpOptions } from './otlp-export.ts'
import { storeLogs } from './logs.ts'
import { discardMetrics } from './metrics.ts'
import { storeSpans } from './spans.ts'

/** Handlers for exports of OpenTelemetry: spans become calls, log records add to them, metrics are not kept. */
export function otlpHandlers(
  options: OtlpOptions,
): Pick<Handlers, 'otlp_traces' | 'otlp_logs' | 'otlp_metrics'> {
  const handler =
    (signal: Signal, store: (options: OtlpOptions, sent: OtlpExport) => Promise<ExportOutcome>) =>
    async ({ body, content_type, project_id }: OtlpRequest, caller: Caller): Promise<ExportResponse> => {
      const encoding = content_type === OTLP_JSON ? 'json' : 'protobuf'
      const project = project_id ?? undefined
      const { rejected, guesses } = await store(options, { body, encoding, project, caller })
      const discarded = rejected.reduce((sum, { count }) => sum + count, 0)
      return { content_type, body: encodeResponse(signal, encoding, rejected), guesses, discarded }
    }
  return {
    otlp_traces: handler('traces', storeSpans),
    otlp_logs: handler('logs', storeLogs),
    otlp_metrics: handler('metrics', discardMetrics),
  }
}
