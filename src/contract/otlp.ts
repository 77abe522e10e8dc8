import { z } from 'zod'
import { operation } from './operation.ts'

/** OpenTelemetry: the requests of OTLP/HTTP. OTLP/gRPC is served on a port of its own (src/http/otlp-grpc.ts). */

export const OTLP_PROTOBUF = 'application/x-protobuf'
export const OTLP_JSON = 'application/json'

/** One export. All but the body is sent in headers. */
const otlpRequest = z.object({
  content_type: z
    .enum([OTLP_PROTOBUF, OTLP_JSON])
    .meta({ description: 'Header `Content-Type`; the response has the same.' }),
  project_id: z.string().nullish().meta({
    description:
      'Header `project_id`: `<entity>/<project>`, or a project of your own entity. Without it the resource attributes decide: `wandb.entity` and `wandb.project`, `openinference.project.name`, `service.name`.',
  }),
  body: z
    .custom<Buffer>((value) => Buffer.isBuffer(value), 'must be bytes')
    .meta({ type: 'string', format: 'binary' }),
})

export type OtlpRequest = z.output<typeof otlpRequest>

/** In JSON; the protobuf message has the same fields. 64-bit integers are strings in the JSON of protobuf. */
const partialSuccess = <Name extends string>(name: Name) =>
  z.object({
    partialSuccess: z
      .object({ [name]: z.string(), errorMessage: z.string() } as Record<Name | 'errorMessage', z.ZodString>)
      .optional()
      .meta({ description: 'How many were not stored, and why. The others were.' }),
  })

export const otlpOperations = {
  otlp_traces: operation({
    path: '/otel/v1/traces',
    aliases: ['/v1/traces'],
    summary: 'Store spans of OpenTelemetry as calls (OTLP/HTTP, protobuf or JSON).',
    access: 'write',
    body: 'otlp',
    errors: ['unsupported_media_type'],
    request: otlpRequest,
    response: partialSuccess('rejectedSpans'),
    responseFormat: 'otlp',
    // Known once the body is decoded: src/service/otlp/ authorizes the projects and charges their quotas.
    projects: () => [],
    calls: () => [],
  }),
  otlp_logs: operation({
    path: '/otel/v1/logs',
    aliases: ['/v1/logs'],
    summary:
      'Add prompts and responses in log records of OpenTelemetry to their calls; other records are ignored.',
    access: 'write',
    body: 'otlp',
    errors: ['unsupported_media_type'],
    request: otlpRequest,
    response: partialSuccess('rejectedLogRecords'),
    responseFormat: 'otlp',
    projects: () => [],
    calls: () => [],
  }),
}
