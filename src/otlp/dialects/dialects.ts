import type { Dialect } from '../rules.ts'
import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { geminiCli } from './gemini-cli.ts'
import { genai } from './genai.ts'
import { generic } from './generic.ts'
import { googleAdk } from './google-adk.ts'
import { laminar } from './laminar.ts'
import { langfuse } from './langfuse.ts'
import { langsmith } from './langsmith.ts'
import { livekit } from './livekit.ts'
import { logfire } from './logfire.ts'
import { mlflow } from './mlflow.ts'
import { openinference } from './openinference.ts'
import { openlit } from './openlit.ts'
import { opik } from './opik.ts'
import { traceloop } from './traceloop.ts'
import { vercelAi } from './vercel-ai.ts'
import { weave } from './weave.ts'

/** In order of priority: Weave's own attributes, those of one product, the conventions, guesses. */
export const DIALECTS: readonly Dialect[] = [
  weave,
  openinference,
  vercelAi,
  traceloop,
  langfuse,
  logfire,
  googleAdk,
  claudeCode,
  codex,
  geminiCli,
  mlflow,
  langsmith,
  laminar,
  livekit,
  openlit,
  opik,
  genai,
  generic,
]
