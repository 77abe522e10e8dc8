import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { node24 } from '../../scripts/ci/node24.ts'
import { installOnce, pythonWith, runInstaller } from '../installations.ts'
import versions from './versions.json' with { type: 'json' }

/** Installs instrumentations as users do. Each has its own environment, because their requirements conflict. */

type PackageName = Exclude<keyof typeof versions, 'ai' | 'opentelemetry' | 'openai-2'>

const pinned = (...names: readonly PackageName[]): string[] =>
  names.map((name) => `${name}==${versions[name]}`)
const openinference = (...names: readonly string[]): string[] =>
  pinned(...names.map((name) => `openinference-instrumentation-${name}` as PackageName))

const OPENTELEMETRY = [
  `opentelemetry-sdk==${versions.opentelemetry}`,
  `opentelemetry-exporter-otlp-proto-http==${versions.opentelemetry}`,
]
const OPENAI = pinned('openai', 'httpx')
/** For frameworks that do not allow the newest. */
const OPENAI_2 = [`openai==${versions['openai-2']}`, ...pinned('httpx')]
const LANGGRAPH = pinned('langchain', 'langchain-openai', 'langgraph')

const PYTHON_PACKAGES = {
  opentelemetry: [...OPENTELEMETRY, `opentelemetry-exporter-otlp-proto-grpc==${versions.opentelemetry}`],
  openinference: [
    ...OPENTELEMETRY,
    ...OPENAI,
    ...LANGGRAPH,
    ...pinned('anthropic', 'google-genai', 'boto3', 'openai-agents'),
    ...openinference('openai', 'anthropic', 'google-genai', 'bedrock', 'langchain', 'openai-agents'),
  ],
  'openinference-frameworks': [
    ...OPENTELEMETRY,
    ...OPENAI_2,
    ...pinned('agno', 'haystack-ai', 'llama-index-core', 'llama-index-llms-openai', 'smolagents'),
    ...openinference('agno', 'haystack', 'llama-index', 'smolagents'),
  ],
  // LiteLLM imports `mcp` when it is given tools.
  dspy: [...OPENTELEMETRY, ...pinned('dspy', 'litellm', 'mcp'), ...openinference('dspy', 'litellm')],
  crewai: [...OPENTELEMETRY, ...OPENAI_2, ...pinned('crewai'), ...openinference('crewai', 'openai')],
  langsmith: [...OPENTELEMETRY, ...OPENAI, ...LANGGRAPH, `langsmith[otel]==${versions.langsmith}`],
  openllmetry: [...OPENAI, `traceloop-sdk==${versions['traceloop-sdk']}`],
  openlit: [...OPENAI_2, ...pinned('openlit')],
  strands: [...OPENAI_2, `strands-agents[otel,openai]==${versions['strands-agents']}`],
  adk: [...pinned('google-adk'), 'opentelemetry-exporter-otlp-proto-http'],
  mlflow: [...OPENTELEMETRY, ...OPENAI, ...pinned('mlflow-skinny', 'mlflow-tracing', 'numpy', 'pandas')],
  'semantic-kernel': [...OPENTELEMETRY, ...OPENAI, ...pinned('semantic-kernel')],
  'agent-framework': [
    ...OPENTELEMETRY,
    ...OPENAI,
    ...pinned('agent-framework-core', 'agent-framework-openai'),
  ],
  autogen: [
    ...OPENTELEMETRY,
    ...OPENAI,
    ...pinned('autogen-agentchat'),
    `autogen-ext[openai]==${versions['autogen-ext']}`,
    ...openinference('openai'),
  ],
  genai: [
    ...OPENTELEMETRY,
    ...OPENAI,
    ...pinned('opentelemetry-instrumentation-openai-v2'),
    // A newer one does not have what it imports.
    'opentelemetry-util-genai==0.4b0',
  ],
  'genai-latest': [...OPENTELEMETRY, ...OPENAI, ...pinned('opentelemetry-instrumentation-genai-openai')],
  langfuse: [...OPENAI, ...LANGGRAPH, ...pinned('langfuse')],
  'pydantic-ai': [...OPENTELEMETRY, `pydantic-ai-slim[openai]==${versions['pydantic-ai-slim']}`],
} as const

export type PythonName = keyof typeof PYTHON_PACKAGES

export function instrumentedPython(name: PythonName): Promise<string> {
  return pythonWith(`otlp-${name}`, PYTHON_PACKAGES[name])
}

const NODE_SDK = [
  `@opentelemetry/sdk-node@${versions['@opentelemetry/sdk-node']}`,
  `@opentelemetry/api@${versions['@opentelemetry/api']}`,
]

const NODE_PACKAGES = {
  opentelemetry: NODE_SDK,
  'ai-7': [
    ...NODE_SDK,
    `ai@${versions.ai['7']}`,
    `@ai-sdk/otel@${versions['@ai-sdk/otel']}`,
    '@ai-sdk/openai@4',
    'zod@4',
  ],
  'ai-6': [...NODE_SDK, `ai@${versions.ai['6']}`, '@ai-sdk/openai@3', 'zod@4'],
} as const

export type NodeName = keyof typeof NODE_PACKAGES

/** A folder with the programs, next to a `node_modules` with the packages. */
export async function instrumentedNode(name: NodeName): Promise<string> {
  const directory = await installOnce(`otlp-node-${name}`, async (path) => {
    await mkdir(path, { recursive: true })
    await writeFile(`${path}/package.json`, '{"private": true}\n')
    await runInstaller(
      'npm',
      ['install', '--no-audit', '--no-fund', '--silent', '--engine-strict=false', ...NODE_PACKAGES[name]],
      path,
    )
  })
  const programs = `${directory}/programs`
  await rm(programs, { recursive: true, force: true })
  await cp(fileURLToPath(new URL('programs', import.meta.url)), programs, { recursive: true })
  return programs
}

/** The newest AI SDK requires a newer Node than Heddle does. */
export async function newerNode(): Promise<string> {
  const directory = await installOnce('node-24', async (path) => {
    await mkdir(path, { recursive: true })
    await node24(path)
  })
  return `${directory}/node_modules/node-${process.platform}-${process.arch}/bin/node`
}
