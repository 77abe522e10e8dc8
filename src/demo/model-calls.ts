import type { Step } from './steps.ts'

/** Calls of language models, in the formats of the providers' SDKs. */

export interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | null
  readonly tool_calls?: readonly ToolCall[]
  readonly tool_call_id?: string
}

interface ToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

export function toolCall(id: string, name: string, args: object): ToolCall {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(args) } }
}

export interface Tool {
  readonly type: 'function'
  readonly function: { readonly name: string; readonly description: string; readonly parameters: object }
}

export function tool(name: string, description: string, parameter: string): Tool {
  const properties = { [parameter]: { type: 'string' } }
  const parameters = { type: 'object', properties, required: [parameter] }
  return { type: 'function', function: { name, description, parameters } }
}

export const SMALL_MODEL = 'gpt-4.1-mini'
export const LARGE_MODEL = 'gpt-4.1'
const CLAUDE = 'claude-sonnet-4-5'
const EMBEDDING_MODEL = 'text-embedding-3-small'

interface CompletionOptions {
  readonly model: string
  readonly messages: readonly Message[]
  readonly tools?: readonly Tool[]
  readonly reply: Omit<Message, 'role'>
  readonly ms: number
}

/** A token is about four characters long. */
function estimateTokens(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / 4)
}

export function chatCompletion({ model, messages, tools, reply, ms }: CompletionOptions): Step {
  const prompt_tokens = estimateTokens([messages, tools ?? []])
  const completion_tokens = estimateTokens(reply)
  const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
  const finish_reason = reply.tool_calls === undefined ? 'stop' : 'tool_calls'
  return {
    op: 'openai.chat.completions.create',
    inputs: { model, messages, temperature: 0.2, ...(tools === undefined ? {} : { tools }) },
    output: {
      object: 'chat.completion',
      model,
      choices: [{ index: 0, finish_reason, message: { role: 'assistant', ...reply } }],
      usage,
    },
    usage: { [model]: { requests: 1, ...usage } },
    ms,
  }
}

export function claudeMessage(system: string, question: string, text: string, ms: number): Step {
  const messages = [{ role: 'user', content: question }]
  const usage = { input_tokens: estimateTokens([system, messages]), output_tokens: estimateTokens(text) }
  return {
    op: 'anthropic.Messages.create',
    inputs: { model: CLAUDE, max_tokens: 1024, system, messages },
    output: {
      type: 'message',
      role: 'assistant',
      model: CLAUDE,
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      usage,
    },
    usage: { [CLAUDE]: { requests: 1, ...usage } },
    ms,
  }
}

export function embedding(input: string, ms: number): Step {
  const tokens = estimateTokens(input)
  return {
    op: 'openai.embeddings.create',
    inputs: { model: EMBEDDING_MODEL, input },
    output: { model: EMBEDDING_MODEL, dimensions: 1536, embedding: [0.0127, -0.0341, 0.0082, '…'] },
    usage: { [EMBEDDING_MODEL]: { requests: 1, prompt_tokens: tokens, total_tokens: tokens } },
    ms,
  }
}
