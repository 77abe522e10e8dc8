import { deepStrictEqual } from 'node:assert/strict'
import { agentStacks } from './agent-checks.ts'
import { conversation, messagesOf, root, type Checks, scopeOf, spans, type Stack } from './stack-checks.ts'

/** What each program must have, by its name in instrumentations.ts; and what its libraries do not send. */

const with_ = (stack: Stack, ...checks: readonly Checks[]): Stack => ({
  ...stack,
  checks: Object.assign({}, stack.checks, ...checks) as Checks,
})

const NO_SESSION = { session: 'it has no sessions', 'end user': 'it has no end users' }
const NO_TRACE_METADATA = 'it does not export the metadata of the trace, which have the session and the user'
const CLAUDE = [3e-6, 3e-7, 1.5e-5] as const
const GEMINI = [3e-7, 3e-8, 2.5e-6] as const

export const stacks: Readonly<Record<string, Stack>> = {
  'node-protobuf': spans('OpenTelemetry for Node, protobuf', 'TypeError: no such file'),
  'node-json': spans('OpenTelemetry for Node, JSON', 'TypeError: no such file'),
  'node-gzip': spans('OpenTelemetry for Node, gzip', 'TypeError: no such file'),
  'node-grpc': spans('OpenTelemetry for Node, gRPC', 'TypeError: no such file'),
  'python-http': spans('OpenTelemetry for Python, HTTP', 'ValueError: no such file'),
  'python-grpc': spans('OpenTelemetry for Python, gRPC', 'ValueError: no such file'),
  ...agentStacks,
  // Its program checks what it reads.
  scores: { checks: {} },
  openinference: conversation('OpenInference, OpenAI', {
    op: 'ChatCompletion',
    provider: 'openai',
    hasRoot: false,
    exception: 'openai.NotFoundError: ',
  }),
  'openinference-anthropic': conversation('OpenInference, Anthropic', {
    op: 'messages.create',
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    // Anthropic's client has spans of its own below those of OpenInference.
    isRequest: (call) => scopeOf(call).startsWith('openinference.'),
    hasReasoningTokens: false,
    prices: CLAUDE,
    exception: 'anthropic.NotFoundError: ',
  }),
  'openinference-gemini': conversation('OpenInference, Google GenAI', {
    op: 'GenerateContent',
    model: 'gemini-2.5-flash',
    prices: GEMINI,
    exception: 'google.genai.errors.ClientError: ',
  }),
  'openinference-bedrock': conversation('OpenInference, Amazon Bedrock', {
    op: 'bedrock.converse',
    model: 'anthropic.claude-3-5-sonnet-20241022-v2:0',
    hasReasoningTokens: false,
    prices: CLAUDE,
  }),
  'openinference-langgraph': with_(
    conversation('OpenInference, LangGraph', {
      op: 'ChatOpenAI',
      provider: 'openai',
      tool: 'get_weather',
    }),
    root('agent', 'weather_agent'),
  ),
  'openinference-agents': conversation('OpenInference, OpenAI Agents', {
    op: 'response',
    provider: 'openai',
    tool: 'get_weather',
  }),
  'openinference-llamaindex': conversation('OpenInference, LlamaIndex', {
    model: 'gpt-4o-mini',
    isRequest: ({ op_name }) => !op_name.includes('_prepare'),
    tool: 'get_weather',
  }),
  'openinference-smolagents': conversation('OpenInference, smolagents', {
    op: 'OpenAIModel.generate',
    model: 'gpt-4o-mini',
    tool: 'get_weather',
    hasSystemPrompt: false,
    hasCachedTokens: false,
    hasReasoningTokens: false,
  }),
  'openinference-agno': conversation('OpenInference, Agno', {
    op: 'OpenAIChat.invoke',
    model: 'gpt-4o-mini',
    tool: 'get_weather',
    hasReasoningTokens: false,
    isOfRoot: true,
  }),
  'openinference-haystack': conversation('OpenInference, Haystack', {
    op: 'OpenAIChatGenerator.run',
    hasCachedTokens: false,
    hasReasoningTokens: false,
    absent: { tools: 'it has no spans of tools, and does not send what the model is offered' },
  }),
  'openinference-dspy': conversation('OpenInference, DSPy and LiteLLM', {
    op: 'completion',
    model: 'openai/gpt-4o-mini',
    // DSPy has a span without tokens around each of LiteLLM.
    isRequest: (call) => scopeOf(call).endsWith('.litellm'),
  }),
  'openinference-crewai': conversation('OpenInference, CrewAI and OpenAI', {
    op: 'ChatCompletion',
    tool: 'get_weather',
    hasSystemPrompt: false,
  }),
  langsmith: conversation('LangSmith, LangGraph', {
    op: 'chat gpt-4o-mini',
    provider: 'openai',
    isRequest: ({ op_name }) => !op_name.endsWith('no-such-model'),
    tool: 'get_weather',
    absent: { errors: 'it reports failed calls as successful' },
  }),
  langfuse: with_(
    conversation('Langfuse, OpenAI', { op: 'OpenAI-generation', tool: 'get_weather' }),
    root('agent', 'weather_agent'),
  ),
  'langfuse-langgraph': conversation('Langfuse, LangGraph', { op: 'ChatOpenAI', tool: 'get_weather' }),
  openllmetry: with_(
    conversation('OpenLLMetry, OpenAI', {
      op: 'chat gpt-4o-mini',
      provider: 'openai',
      tool: 'get_weather',
      exception: 'openai.NotFoundError: ',
    }),
    root('workflow', 'weather_workflow'),
    {
      'conversation with an image': (calls) => {
        const failed = calls.find(({ exception }) => exception !== null)
        const parts = messagesOf(failed?.inputs).flatMap((message) => message.parts ?? [])
        deepStrictEqual(
          parts.map(({ type }) => type),
          ['text', 'blob'],
        )
      },
    },
  ),
  openlit: conversation('OpenLIT, OpenAI', {
    op: 'chat gpt-4o-mini',
    provider: 'openai',
    hasReasoningTokens: false,
    absent: { ...NO_SESSION, tools: 'it does not send the tools' },
  }),
  strands: with_(
    conversation('Strands Agents', {
      op: 'chat gpt-4o-mini',
      model: 'gpt-4o-mini',
      tool: 'get_weather',
      hasReasoningTokens: false,
    }),
    root('agent', 'invoke_agent weather_agent'),
  ),
  adk: conversation('Google ADK', {
    op: 'generate_content gemini-2.5-flash',
    model: 'gemini-2.5-flash',
    provider: 'gcp.gemini',
    tool: 'get_weather',
    prices: GEMINI,
    absent: { 'end user': 'it sends the user in log records only' },
  }),
  mlflow: conversation('MLflow, OpenAI', {
    op: 'Completions',
    tool: 'get_weather',
    absent: { session: NO_TRACE_METADATA, 'end user': NO_TRACE_METADATA },
  }),
  'semantic-kernel': conversation('Semantic Kernel', {
    op: 'chat gpt-4o-mini',
    model: 'gpt-4o-mini',
    provider: 'openai',
    tool: 'Weather-get_weather',
    hasCachedTokens: false,
    hasReasoningTokens: false,
    absent: NO_SESSION,
  }),
  'agent-framework': conversation('Microsoft Agent Framework', {
    op: 'chat gpt-4o-mini',
    provider: 'openai',
    tool: 'get_weather',
    absent: NO_SESSION,
  }),
  autogen: conversation('AutoGen, OpenInference for OpenAI', {
    op: 'ChatCompletion',
    hasRoot: false,
    absent: { tools: 'its spans of tools have neither arguments nor results' },
  }),
  'genai-logs': conversation('OpenTelemetry openai-v2, logs', {
    op: 'chat gpt-4o-mini',
    provider: 'openai',
    hasRoot: false,
    hasCachedTokens: false,
    hasReasoningTokens: false,
    absent: { ...NO_SESSION, tools: 'it does not send the tools' },
  }),
  'genai-latest': conversation('OpenTelemetry genai-openai, logs', {
    op: 'chat gpt-4o-mini',
    provider: 'openai',
    hasRoot: false,
    absent: NO_SESSION,
  }),
  'pydantic-ai': with_(
    conversation('Pydantic AI', {
      op: 'chat gpt-4o-mini',
      provider: 'openai',
      tool: 'get_weather',
      exception: 'pydantic_ai.exceptions.ModelNotFoundError: ',
      absent: { 'end user': 'it has no end users' },
    }),
    root('agent', 'invoke_agent weather_agent'),
  ),
  'ai-7': with_(
    conversation('Vercel AI SDK 7', {
      op: 'chat gpt-4o-mini',
      provider: 'openai',
      tool: 'get_weather',
      hasReasoningTokens: false,
      exception: 'AI_APICallError: ',
      absent: { session: 'version 7 sends no metadata', 'end user': 'version 7 sends no metadata' },
    }),
    root('agent', 'invoke_agent weather-agent'),
  ),
  'ai-6': with_(
    conversation('Vercel AI SDK 6', {
      op: 'ai.generateText.doGenerate gpt-4o-mini',
      provider: 'openai',
      tool: 'get_weather',
      exception: 'AI_APICallError: ',
    }),
    root('agent', 'ai.generateText weather-agent'),
  ),
}
