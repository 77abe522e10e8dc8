import type { SetupTarget, Snippet } from './snippets.ts'

/**
 * Setup of programs that send OpenTelemetry, one snippet per stack. docs/opentelemetry.md has the same code: a test
 * compares them.
 */
export function otelSnippets({ origin, project_id, key = 'your-api-key' }: SetupTarget): readonly Snippet[] {
  // The SDKs decode the values of headers.
  const encodedProject = project_id.split('/').map(encodeURIComponent).join('/')
  const environment = `export OTEL_EXPORTER_OTLP_ENDPOINT=${origin}
export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
export OTEL_EXPORTER_OTLP_HEADERS="authorization=Bearer%20${key},project-id=${encodedProject}"`
  const configure = { about: 'Configure the server', code: environment }
  const configureAnd = (...lines: readonly string[]) => ({
    about: 'Configure the server',
    code: [environment, ...lines].join('\n'),
  })
  return [
    {
      name: 'Any OpenTelemetry SDK',
      steps: [{ about: 'Set the variables that all SDKs read, and start the program', code: environment }],
    },
    {
      name: 'OpenInference',
      steps: [
        {
          about: 'Install the instrumentation, here of OpenAI for Python',
          code: 'pip install openai openinference-instrumentation-openai opentelemetry-sdk opentelemetry-exporter-otlp-proto-http',
        },
        configure,
        { about: 'Trace a model call', code: OPENINFERENCE },
      ],
    },
    {
      name: 'OpenLLMetry',
      steps: [
        { about: 'Install the SDK', code: 'pip install openai traceloop-sdk' },
        configureAnd(
          `export TRACELOOP_BASE_URL=${origin}`,
          'export TRACELOOP_HEADERS="$OTEL_EXPORTER_OTLP_HEADERS"',
        ),
        { about: 'Trace a function', code: OPENLLMETRY },
      ],
    },
    {
      name: 'Vercel AI SDK',
      steps: [
        {
          about: 'Install the packages',
          code: 'npm install ai @ai-sdk/openai @ai-sdk/otel @opentelemetry/api@1.9 @opentelemetry/sdk-node@0.223',
        },
        configure,
        { about: 'Trace a model call', code: VERCEL_AI },
      ],
    },
    {
      name: 'Pydantic AI, Logfire',
      steps: [
        { about: 'Install the packages', code: 'pip install pydantic-ai logfire' },
        configure,
        { about: 'Trace an agent', code: PYDANTIC_AI },
      ],
    },
    {
      name: 'Langfuse SDK',
      steps: [
        { about: 'Install the SDK', code: 'pip install langfuse openai' },
        {
          about: 'Configure the server: the public key is the project, the secret key is the API key',
          code: `export LANGFUSE_HOST=${origin}
export LANGFUSE_PUBLIC_KEY=${project_id}
export LANGFUSE_SECRET_KEY=${key}`,
        },
        { about: 'Trace a function', code: LANGFUSE },
      ],
    },
    {
      name: 'OpenTelemetry GenAI',
      steps: [
        {
          about: 'Install the instrumentation, here of OpenAI for Python',
          code: 'pip install openai opentelemetry-distro opentelemetry-exporter-otlp-proto-http opentelemetry-instrumentation-genai-openai',
        },
        configureAnd(
          'export OTEL_SERVICE_NAME=chatbot',
          'export OTEL_PYTHON_LOGGING_AUTO_INSTRUMENTATION_ENABLED=true',
          'export OTEL_SEMCONV_STABILITY_OPT_IN=gen_ai_latest_experimental',
          'export OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=EVENT_ONLY',
        ),
        { about: 'Start the program', code: 'opentelemetry-instrument python chat.py' },
      ],
    },
    {
      name: 'Collector',
      steps: [
        {
          about: 'Set the API key in the environment of the collector',
          code: `export HEDDLE_API_KEY=${key}`,
        },
        { about: 'Add an exporter to its configuration', code: collector(origin, project_id) },
      ],
    },
    {
      name: 'Claude Code',
      steps: [
        configureAnd(
          'export CLAUDE_CODE_ENABLE_TELEMETRY=1 OTEL_LOGS_EXPORTER=otlp',
          'export OTEL_LOG_USER_PROMPTS=1 OTEL_LOG_TOOL_DETAILS=1',
        ),
        { about: 'Start Claude Code', code: 'claude' },
      ],
    },
  ]
}

const OPENINFERENCE = `from openai import OpenAI
from openinference.instrumentation.openai import OpenAIInstrumentor
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

provider = TracerProvider()
provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
OpenAIInstrumentor().instrument(tracer_provider=provider)

OpenAI().chat.completions.create(model="gpt-4o-mini", messages=[{"role": "user", "content": "Hello"}])
provider.shutdown()`

const OPENLLMETRY = `from openai import OpenAI
from traceloop.sdk import Traceloop
from traceloop.sdk.decorators import workflow

Traceloop.init(app_name="chatbot", disable_batch=True)

@workflow(name="answer")
def answer(question: str) -> str:
    response = OpenAI().chat.completions.create(model="gpt-4o-mini", messages=[{"role": "user", "content": question}])
    return response.choices[0].message.content

answer("Hello")`

const VERCEL_AI = `import { openai } from '@ai-sdk/openai'
import { OpenTelemetry } from '@ai-sdk/otel'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { generateText, registerTelemetry } from 'ai'

const sdk = new NodeSDK()
sdk.start()
registerTelemetry(new OpenTelemetry())

await generateText({
  model: openai('gpt-4o-mini'),
  prompt: 'Hello',
  telemetry: { functionId: 'answer' },
})
await sdk.shutdown()`

const PYDANTIC_AI = `import logfire
from pydantic_ai import Agent

logfire.configure(send_to_logfire=False)
logfire.instrument_pydantic_ai()

Agent("openai:gpt-4o-mini", name="support").run_sync("Hello")`

const LANGFUSE = `from langfuse import get_client, observe
from langfuse.openai import OpenAI

@observe()
def answer(question: str) -> str:
    response = OpenAI().chat.completions.create(model="gpt-4o-mini", messages=[{"role": "user", "content": question}])
    return response.choices[0].message.content

answer("Hello")
get_client().flush()`

function collector(origin: string, project_id: string): string {
  return `exporters:
  otlphttp/heddle:
    endpoint: ${origin}
    headers:
      authorization: Bearer \${env:HEDDLE_API_KEY}
      project-id: ${project_id}
service:
  pipelines:
    traces: { receivers: [otlp], exporters: [otlphttp/heddle] }
    logs: { receivers: [otlp], exporters: [otlphttp/heddle] }`
}
