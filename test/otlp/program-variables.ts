import { PYTHON_VARIABLES } from '../installations.ts'

export interface ProgramTarget {
  readonly url: string
  readonly apiKey: string
  readonly project_id: string
  /** A model API on loopback (test/model-server.ts). */
  readonly modelUrl: string
  readonly home: string
}

/** What a user of an OpenTelemetry instrumentation would set. */
export function programVariables(target: ProgramTarget): NodeJS.ProcessEnv {
  const { url, apiKey, project_id, modelUrl, home } = target
  const credentials = Buffer.from(`api:${apiKey}`).toString('base64')
  return {
    ...process.env,
    HOME: home,
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=Basic ${credentials},project-id=${project_id}`,
    // A busy machine must not fail the test. Milliseconds in JavaScript, seconds in Python.
    OTEL_EXPORTER_OTLP_TIMEOUT: '60000',
    // For clients without a variable of their own.
    MODEL_URL: modelUrl,
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: 'unused',
    OPENAI_BASE_URL: `${modelUrl}/v1`,
    OPENAI_API_KEY: 'unused',
    LANGFUSE_HOST: url,
    LANGFUSE_BASE_URL: url,
    LANGFUSE_PUBLIC_KEY: project_id,
    LANGFUSE_SECRET_KEY: apiKey,
    ...PYTHON_VARIABLES,
    NODE_NO_WARNINGS: '1',
  }
}
