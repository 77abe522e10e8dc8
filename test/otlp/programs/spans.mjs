/** Plain spans with the OpenTelemetry SDK for Node. OTEL_EXPORTER_OTLP_PROTOCOL selects the transport. */
import { setTimeout as sleep } from 'node:timers/promises'
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { NodeSDK } from '@opentelemetry/sdk-node'

const sdk = new NodeSDK()
sdk.start()
const tracer = trace.getTracer('test.spans', '1.0')
await tracer.startActiveSpan(
  'plan trip',
  { attributes: { 'session.id': 's1', 'user.id': 'u1', steps: 3 } },
  async (root) => {
    const attributes = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-4o-mini',
      'gen_ai.response.model': 'gpt-4o-mini-2024-07-18',
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 20,
      'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"Hi, Zürich"}]}]',
      'gen_ai.output.messages': '[{"role":"assistant","parts":[{"type":"text","content":"Grüezi"}]}]',
    }
    // Start times of this SDK are milliseconds, and calls are read in the order of their start.
    await sleep(5)
    tracer.startSpan('chat gpt-4o-mini', { kind: SpanKind.CLIENT, attributes }).end()
    await sleep(5)
    const failed = tracer.startSpan('load 42')
    failed.recordException(new TypeError('no such file'))
    failed.setStatus({ code: SpanStatusCode.ERROR, message: 'no such file' })
    failed.end()
    root.end()
  },
)
await sdk.shutdown()
