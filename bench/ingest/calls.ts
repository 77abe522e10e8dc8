/** Generates realistic calls: 3.4 KB on average, lognormal sizes up to 100 KB, text that compresses like prose. */
const MEAN_BYTES = 3_400
const MAX_BYTES = 100_000
/** Standard deviation of the logarithm; gives a median of 2 KB. */
const SIGMA = 1.0
/** Size of a call without its text. */
const FRAME_BYTES = 900

export const PROJECT = { entity: 'admin', project: 'bench' } as const
export const PROJECT_ID = `${PROJECT.entity}/${PROJECT.project}`

/** Placeholders; templates.ts overwrites them with values of the same length before each request. */
export const ID = '0190c5b0-0000-7000-8000-000000000000'
export const TIME = '2026-01-01T00:00:00.000000Z'

export interface Random {
  (): number
}

/** A small, fast, reproducible random number generator (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const SYLLABLES =
  'ba be bi bo bu da de di do du ka ke ki ko ku la le li lo lu ma me mi mo mu na ne ni no nu ra re ri ro ru sa se si so su ta te ti to tu'.split(
    ' ',
  )

const WORDS: readonly string[] = (() => {
  const random = randomFrom(7)
  const syllable = (): string => SYLLABLES[Math.floor(random() * SYLLABLES.length)] ?? 'a'
  return Array.from({ length: 6_000 }, () => {
    let word = syllable()
    for (let n = Math.floor(random() * 4); n > 0; n--) word += syllable()
    return word
  })
})()

/** Words with Zipf-distributed frequencies, as in prose. */
function prose(random: Random, bytes: number): string {
  if (bytes > MAX_BYTES) {
    const page = prose(random, MAX_BYTES)
    return page.repeat(Math.ceil(bytes / MAX_BYTES)).slice(0, bytes)
  }
  let text = ''
  while (text.length < bytes) text += `${WORDS[Math.floor(WORDS.length ** random()) - 1] ?? 'a'} `
  return text.slice(0, Math.max(0, bytes))
}

function textBytes(random: Random, mean: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const size = mean * Math.exp(SIGMA * normal - SIGMA ** 2 / 2)
  return Math.max(0, Math.min(MAX_BYTES, size) - FRAME_BYTES)
}

const MODELS = ['gpt-4o', 'gpt-4o-mini', 'claude-sonnet-4', 'gemini-2.5-pro']

interface CallStartJson {
  readonly project_id: string
  readonly id: string
  readonly trace_id: string
  readonly op_name: string
  readonly started_at: string
  readonly attributes: object
  readonly inputs: object
}

interface CallEndJson {
  readonly ended_at: string
  readonly output: object
  readonly summary: object
}

export interface MadeCall {
  readonly start: CallStartJson
  readonly end: CallEndJson
}

export interface CallOptions {
  /** Default: the bench's own project. */
  readonly project_id?: string
  /** Mean size of a call. */
  readonly bytesPerCall?: number | undefined
  /** Size of the texts of this call; by default random. */
  readonly bytes?: number
}

export function makeCall(random: Random, options: CallOptions = {}): MadeCall {
  const { project_id = PROJECT_ID, bytesPerCall = MEAN_BYTES } = options
  const bytes = options.bytes ?? textBytes(random, bytesPerCall)
  const model = MODELS[Math.floor(random() * MODELS.length)] ?? ''
  const op = `weave:///${project_id}/op/op_${Math.floor(random() * 20)}:8b3f9c1d7e5a4b2c6d8e9f0a1b2c3d4e5f6a7b8c9d0`
  const tokens = Math.floor(bytes / 4)
  return {
    start: {
      project_id,
      id: ID,
      trace_id: ID,
      op_name: op,
      started_at: TIME,
      attributes: {
        weave: { client_version: '0.54.0', source: 'python-sdk', os_name: 'Linux', sys_version: '3.11.2' },
        env: 'production',
        customer: `customer-${Math.floor(random() * 1_000)}`,
      },
      inputs: {
        model,
        temperature: 0.7,
        messages: [
          { role: 'system', content: prose(random, bytes * 0.2) },
          { role: 'user', content: prose(random, bytes * 0.5) },
        ],
      },
    },
    end: {
      ended_at: TIME,
      output: {
        choices: [
          {
            index: 0,
            finish_reason: 'stop',
            message: { role: 'assistant', content: prose(random, bytes * 0.3) },
          },
        ],
      },
      summary: {
        usage: {
          [model]: {
            requests: 1,
            prompt_tokens: tokens,
            completion_tokens: tokens >> 1,
            total_tokens: tokens + (tokens >> 1),
          },
        },
      },
    },
  }
}
