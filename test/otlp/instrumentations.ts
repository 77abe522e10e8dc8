import { fileURLToPath } from 'node:url'
import {
  instrumentedNode,
  instrumentedPython,
  newerNode,
  type NodeName,
  type PythonName,
} from './environments.ts'

/** The programs in programs/, with what a user of their instrumentation would set. */
export interface Instrumentation {
  readonly name: string
  readonly command: () => Promise<readonly string[]>
  readonly variables?: Readonly<Record<string, string>>
  readonly isGrpc?: true
  /** Not part of `--quick`. */
  readonly isLong?: true
}

const python =
  (environment: PythonName, program: string, ...args: readonly string[]) =>
  async () => [
    await instrumentedPython(environment),
    fileURLToPath(new URL(`programs/${program}`, import.meta.url)),
    ...args,
  ]

const node = (environment: NodeName, program: string) => async () => [
  process.execPath,
  `${await instrumentedNode(environment)}/${program}`,
]

const protocol = (name: string) => ({ OTEL_EXPORTER_OTLP_PROTOCOL: name })

export const instrumentations: readonly Instrumentation[] = [
  {
    name: 'node-protobuf',
    command: node('opentelemetry', 'spans.mjs'),
    variables: protocol('http/protobuf'),
  },
  { name: 'node-json', command: node('opentelemetry', 'spans.mjs'), variables: protocol('http/json') },
  {
    name: 'node-gzip',
    command: node('opentelemetry', 'spans.mjs'),
    variables: { ...protocol('http/protobuf'), OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' },
  },
  {
    name: 'node-grpc',
    command: node('opentelemetry', 'spans.mjs'),
    variables: protocol('grpc'),
    isGrpc: true,
  },
  { name: 'python-http', command: python('opentelemetry', 'spans.py', 'http') },
  { name: 'python-grpc', command: python('opentelemetry', 'spans.py', 'grpc'), isGrpc: true },
  { name: 'openinference', command: python('openinference', 'openinference_openai.py') },
  { name: 'openllmetry', command: python('openllmetry', 'openllmetry.py'), isLong: true },
  {
    name: 'genai-logs',
    isLong: true,
    command: python('genai', 'genai_logs.py'),
    variables: { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' },
  },
  {
    name: 'genai-latest',
    command: python('genai-latest', 'genai_logs.py'),
    variables: {
      OTEL_SEMCONV_STABILITY_OPT_IN: 'gen_ai_latest_experimental',
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'EVENT_ONLY',
    },
  },
  { name: 'agent-logs-http', command: python('opentelemetry', 'agent_logs.py', 'http') },
  { name: 'agent-logs-grpc', command: python('opentelemetry', 'agent_logs.py', 'grpc'), isGrpc: true },
  { name: 'scores', command: python('langfuse', 'langfuse_scores.py'), isLong: true },
  { name: 'langfuse', command: python('langfuse', 'langfuse_sdk.py'), isLong: true },
  { name: 'pydantic-ai', command: python('pydantic-ai', 'pydantic_agent.py') },
  {
    name: 'ai-7',
    command: async () => [await newerNode(), `${await instrumentedNode('ai-7')}/vercel.mjs`],
  },
  { name: 'ai-6', command: node('ai-6', 'vercel.mjs'), isLong: true },
]
