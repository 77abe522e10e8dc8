/** The Vercel AI SDK: an agent with a tool, then a call that fails. From version 7 on, telemetry is a package of its own. */
import { createOpenAI } from '@ai-sdk/openai'
import { NodeSDK } from '@opentelemetry/sdk-node'
import * as ai from 'ai'
import { z } from 'zod'

const sdk = new NodeSDK()
sdk.start()
if ('registerTelemetry' in ai) {
  const { OpenTelemetry } = await import('@ai-sdk/otel')
  ai.registerTelemetry(new OpenTelemetry())
}
const openai = createOpenAI()
const settings = {
  isEnabled: true,
  functionId: 'weather-agent',
  metadata: { sessionId: 's1', userId: 'u1', tags: ['test'] },
}
const telemetry = 'registerTelemetry' in ai ? { telemetry: settings } : { experimental_telemetry: settings }
const get_weather = ai.tool({
  description: 'The weather in a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => ({ city, celsius: 21.5 }),
})
await ai.generateText({
  model: openai.chat('gpt-4o-mini'),
  ['registerTelemetry' in ai ? 'instructions' : 'system']: 'You know the weather.',
  prompt: 'How warm is it in Zürich?',
  tools: { get_weather },
  stopWhen: ai.stepCountIs?.(3) ?? ai.isStepCount(3),
  temperature: 0.5,
  ...telemetry,
})
await ai
  .generateText({ model: openai.chat('no-such-model'), prompt: 'Hi', maxRetries: 0, ...telemetry })
  .catch((error) => console.log(error.name))
await sdk.shutdown()
