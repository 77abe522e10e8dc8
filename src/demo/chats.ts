import type { Micros } from '../core/time/time.ts'
import { chatCompletion, LARGE_MODEL, type Message, SMALL_MODEL } from './model-calls.ts'
import { QUESTIONS } from './questions.ts'
import type { Random } from './random.ts'
import { ROOT, type Step, type Trace } from './steps.ts'

/** Demo conversations: forty turns in five threads of three users, over a week. */

const USERS = ['ingrid', 'mateo', 'yuki'] as const
const THREADS = 5
const TURNS = 8
/** Turns in which the model call fails. */
const FAILED: ReadonlySet<number> = new Set([11, 29])

const MINUTE: Micros = 60_000_000n
const DAY: Micros = 24n * 60n * MINUTE

const RATE_LIMIT = `Traceback (most recent call last):
  File "shop/chat.py", line 27, in chat_turn
    response = client.chat.completions.create(model=MODEL, messages=messages)
openai.RateLimitError: Error code: 429 - Rate limit reached for requests`

/** The name of each turn's trace. */
export function chatName(n: number): string {
  return `chat ${n}`
}

export function chatTraces(now: Micros, random: Random, instructions: string): Trace[] {
  return Array.from({ length: THREADS }, (_, thread) =>
    conversation(thread, now, random, instructions),
  ).flat()
}

function conversation(thread: number, now: Micros, random: Random, instructions: string): Trace[] {
  const user = USERS[thread % USERS.length] ?? ''
  let messages: readonly Message[] = [{ role: 'system', content: instructions }]
  // Two sessions of four turns, the second on another day.
  const secondSession = now - BigInt(2 - (thread % 3)) * DAY - 50n * MINUTE
  let at = now - BigInt(6 - thread) * DAY - 150n * MINUTE
  return Array.from({ length: TURNS }, (_, turn) => {
    const n = thread * TURNS + turn
    if (turn === TURNS / 2) at = secondSession
    const { question, good, poor } = QUESTIONS[(n * 7) % QUESTIONS.length] ?? QUESTIONS[0]!
    const content = random.next() < 0.8 ? good : poor
    const prompt = [...messages, { role: 'user', content: question }] as const satisfies readonly Message[]
    const isFailed = FAILED.has(n)
    const root = turnStep(prompt, question, isFailed ? undefined : content, random)
    const trace: Trace = {
      name: chatName(n),
      startedAt: at,
      attributes: {
        env: n % 4 === 3 ? 'staging' : 'production',
        user,
        release: turn < 4 ? '2.2.1' : '2.3.0',
      },
      thread_id: `${user}-${thread + 1}`,
      root,
    }
    at += BigInt(random.between(40, 400)) * 1_000_000n
    if (!isFailed) messages = [...prompt, { role: 'assistant', content }]
    return trace
  })
}

function turnStep(
  messages: readonly Message[],
  message: string,
  content: string | undefined,
  random: Random,
): Step {
  const model = random.next() < 0.7 ? SMALL_MODEL : LARGE_MODEL
  const ms = random.between(350, 2_600)
  const completion = chatCompletion({ model, messages, reply: { content: content ?? '' }, ms })
  const { output: _, usage: __, ...request } = completion
  return {
    op: 'chat_turn',
    key: ROOT,
    inputs: { message, history: messages.length - 2 },
    ...(content === undefined ? { exception: RATE_LIMIT } : { output: content }),
    ms: random.between(4, 30),
    steps: [content === undefined ? { ...request, exception: RATE_LIMIT, ms: 180 } : completion],
  }
}
