import { z } from 'zod'
import { recordId } from './fields.ts'
import { operation } from './operation.ts'
import { projectRequest } from './project-path.ts'
import { timeCursor } from './time-cursor.ts'

/** OpenTelemetry: the requests of OTLP/HTTP. OTLP/gRPC is served on a port of its own (src/http/grpc/otlp-grpc.ts). */

export const OTLP_PROTOBUF = 'application/x-protobuf'
export const OTLP_JSON = 'application/json'

/** One export. All but the body is sent in headers. */
const otlpRequest = z.object({
  content_type: z
    .enum([OTLP_PROTOBUF, OTLP_JSON])
    .meta({ description: 'Header `Content-Type`; the response has the same.' }),
  project_id: z.string().nullish().meta({
    description:
      'Header `project-id`: `<entity>/<project>`, or a project of your own entity, percent-encoded or not; `project_id` is accepted too, but proxies such as nginx drop it. Or the username of Basic credentials, if it has the form of both names. Without it the resource attributes decide: `wandb.entity` and `wandb.project`, `openinference.project.name`, `service.name`; with none of them it is `default`. The response says so if the project was not named, as `service.name` does not.',
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
      .meta({
        description:
          'How many were not stored, and why. The others were. With 0, a warning: no project was named, so the message says where they are.',
      }),
  })

export const otlpOperations = {
  otlp_traces: operation({
    path: '/otel/v1/traces',
    // Where Langfuse's SDKs send theirs, and Weave's the conversations with agents.
    aliases: ['/v1/traces', '/api/public/otel/v1/traces', '/agents/otel/v1/traces'],
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
      'Add prompts and responses in log records of OpenTelemetry to their calls. Other records are not stored, and counted in the response.',
    access: 'write',
    body: 'otlp',
    errors: ['unsupported_media_type'],
    request: otlpRequest,
    response: partialSuccess('rejectedLogRecords'),
    responseFormat: 'otlp',
    projects: () => [],
    calls: () => [],
  }),
  otlp_metrics: operation({
    path: '/otel/v1/metrics',
    aliases: ['/v1/metrics'],
    summary:
      'Accept metrics of OpenTelemetry, which many SDKs send unasked. None is stored; the response counts the data points.',
    access: 'write',
    body: 'otlp',
    errors: ['unsupported_media_type'],
    request: otlpRequest,
    response: partialSuccess('rejectedDataPoints'),
    responseFormat: 'otlp',
    projects: () => [],
    calls: () => [],
  }),
  langfuse_projects: operation({
    method: 'GET',
    path: '/api/public/projects',
    summary: "List projects, for the check of credentials by Langfuse's SDKs.",
    access: 'user',
    request: z.object({}),
    response: z.object({
      data: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          organization: z.object({ id: z.string(), name: z.string() }),
          metadata: z.object({}),
        }),
      ),
    }),
    projects: () => [],
  }),
  langfuse_scores: operation({
    path: '/api/public/scores',
    summary: "Store scores of Langfuse's SDKs as feedback on calls. The body is one score or a list of them.",
    access: 'write',
    body: 'otlp',
    errors: ['unsupported_media_type'],
    request: otlpRequest,
    response: z.object({
      id: z.string().optional().meta({ description: 'Of a single score.' }),
      message: z.string().optional().meta({ description: '`Accepted`, for a list.' }),
      accepted: z.int().optional().meta({ description: 'If some scores of a list were rejected.' }),
      rejected: z.int().optional(),
      errors: z.array(z.object({ message: z.string() })).optional(),
    }),
    responseFormat: 'otlp',
    projects: () => [],
    calls: () => [],
  }),
  call_explain: operation({
    method: 'GET',
    path: '/api/v1/projects/{entity}/{project}/calls/{call_id}/explain',
    summary: 'Explain a call that was made from a span: which attributes each of its fields was read from.',
    access: 'read',
    errors: ['not_found'],
    request: projectRequest({ call_id: recordId }),
    response: z.object({
      is_span: z.boolean().meta({ description: 'False if the call was not sent by OpenTelemetry.' }),
      fields: z.array(
        z.object({
          field: z.string().meta({ examples: ['inputs.messages'] }),
          dialect: z
            .string()
            .meta({ description: 'The convention that the rule belongs to.', examples: ['openinference'] }),
          dialect_title: z.string().meta({ examples: ['OpenInference'] }),
          from: z
            .array(z.string())
            .readonly()
            .meta({ description: 'Keys of attributes, or names of events.' }),
        }),
      ),
    }),
  }),
  calls_remap: operation({
    path: '/api/v1/projects/{entity}/{project}/remap',
    summary:
      'Map stored spans to calls again, page by page, and store the calls that changed. For use after an update of the mapping.',
    access: 'write',
    request: projectRequest({
      cursor: timeCursor
        .nullish()
        .meta({ description: 'Continue after the page that returned this cursor.' }),
      limit: z
        .int()
        .min(1)
        .max(1000)
        .nullish()
        .meta({ description: 'Spans per page, fewer if they are large; default 200.' }),
    }),
    response: z.object({
      checked: z.int(),
      changed: z.int(),
      cursor: z.string().nullable().meta({ description: 'Cursor of the next page; null on the last page.' }),
    }),
  }),
}
