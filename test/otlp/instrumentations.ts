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
  { name: 'openinference-anthropic', command: python('openinference', 'openinference_anthropic.py') },
  { name: 'openinference-gemini', command: python('openinference', 'openinference_gemini.py') },
  { name: 'openinference-bedrock', command: python('openinference', 'openinference_bedrock.py') },
  { name: 'openinference-langgraph', command: python('openinference', 'openinference_langgraph.py') },
  { name: 'openinference-agents', command: python('openinference', 'openinference_agents.py') },
  ...['llamaindex', 'smolagents', 'agno', 'haystack'].map((name): Instrumentation => ({
    name: `openinference-${name}`,
    isLong: true,
    command: python('openinference-frameworks', `openinference_${name}.py`),
  })),
  { name: 'openinference-dspy', isLong: true, command: python('dspy', 'openinference_dspy.py') },
  { name: 'openinference-crewai', isLong: true, command: python('crewai', 'openinference_crewai.py') },
  { name: 'langsmith', isLong: true, command: python('langsmith', 'langsmith_langgraph.py') },
  { name: 'langfuse-langgraph', isLong: true, command: python('langfuse', 'langfuse_langgraph.py') },
  { name: 'openlit', isLong: true, command: python('openlit', 'openlit_chat.py') },
  { name: 'strands', isLong: true, command: python('strands', 'strands_agent.py') },
  {
    name: 'adk',
    isLong: true,
    command: python('adk', 'adk_agent.py'),
    variables: {
      GOOGLE_API_KEY: 'unused',
      OTEL_SEMCONV_STABILITY_OPT_IN: 'gen_ai_latest_experimental',
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'SPAN_ONLY',
    },
  },
  {
    name: 'mlflow',
    isLong: true,
    command: python('mlflow', 'mlflow_openai.py'),
    // It sends metrics too, by gRPC unless told otherwise.
    variables: protocol('http/protobuf'),
  },
  {
    name: 'semantic-kernel',
    isLong: true,
    command: python('semantic-kernel', 'semantic_kernel_agent.py'),
    variables: { SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS_SENSITIVE: 'true' },
  },
  {
    name: 'agent-framework',
    isLong: true,
    command: python('agent-framework', 'agent_framework_agent.py'),
  },
  { name: 'autogen', isLong: true, command: python('autogen', 'autogen_agent.py') },
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
