import type { Micros } from '../core/time/time.ts'
import {
  chatCompletion,
  claudeMessage,
  embedding,
  LARGE_MODEL,
  type Message,
  SMALL_MODEL,
  tool,
  toolCall,
} from './model-calls.ts'
import { ROOT, type Step, type Trace } from './steps.ts'

/**
 * The demo trace of an agent: it classifies a ticket, searches, plans, calls tools, and recovers from a failed tool
 * call.
 */

export const AGENT = 'agent'

const TICKET = {
  id: 'T-4821',
  from: 'ingrid@example.com',
  text: 'My Fjord 60 should have been here last Friday (order 90417). It is a present for Sunday. Where is it?',
}

const POLICIES = [
  { id: 'late-parcels', text: 'A parcel that is 3 days late is sent again by express, without asking.' },
  { id: 'presents', text: 'For presents, offer a card by mail that can be printed.' },
  { id: 'refunds', text: 'The cost of shipping is refunded for every late parcel.' },
]

const TIMEOUT = `Traceback (most recent call last):
  File "shop/tools.py", line 41, in track_parcel
    response = httpx.get(f"{CARRIER}/parcels/{parcel_id}", timeout=5.0)
  File "site-packages/httpx/_api.py", line 210, in get
    return request("GET", url, timeout=timeout)
httpx.ReadTimeout: The carrier did not answer within 5 s`

const TOOLS = [
  tool('find_order', 'Find an order by its number.', 'order_id'),
  tool('track_parcel', 'Track a parcel at the carrier.', 'parcel_id'),
  tool('ask_warehouse', 'Look up a parcel in the warehouse system.', 'parcel_id'),
  tool('check_stock', 'Check the stock of an article.', 'article'),
  tool('send_again', 'Resend an order by express.', 'order_id'),
]

const ORDER = { order_id: '90417', article: 'Fjord 60', parcel_id: 'NO-77120', promised: 'Friday' }
const WAREHOUSE = { parcel_id: 'NO-77120', left: 'Tuesday', last_scan: 'Göteborg', note: 'label damaged' }
const REPLY =
  'Dear Ingrid, your loom left us on Tuesday, but its label was damaged on the way. A new one goes out by express today and is with you on Saturday. We refund the shipping, and here is a card to print, just in case.'

interface ToolUse {
  readonly name: string
  readonly args: object
  readonly output?: object
  readonly exception?: string
  readonly ms: number
}

/** The iterations of the agent loop: in each, the model requests tool calls. */
const LOOP: readonly (readonly ToolUse[])[] = [
  [{ name: 'find_order', args: { order_id: '90417' }, output: ORDER, ms: 120 }],
  [
    { name: 'track_parcel', args: { parcel_id: 'NO-77120' }, exception: TIMEOUT, ms: 5_004 },
    { name: 'check_stock', args: { article: 'Fjord 60' }, output: { article: 'Fjord 60', count: 4 }, ms: 85 },
  ],
  [{ name: 'ask_warehouse', args: { parcel_id: 'NO-77120' }, output: WAREHOUSE, ms: 640 }],
  [
    {
      name: 'send_again',
      args: { order_id: '90417' },
      output: { parcel_id: 'NO-77183', by: 'express' },
      ms: 310,
    },
  ],
]

export function agentTrace(startedAt: Micros, instructions: string): Trace {
  const question = TICKET.text
  const system: Message = { role: 'system', content: `${instructions} Use the tools to find out.` }
  const root: Step = {
    op: 'handle_ticket',
    key: ROOT,
    display_name: 'Ticket T-4821',
    inputs: { ticket: TICKET },
    output: { kind: 'late_parcel', reply: REPLY, sent_again: true },
    ms: 90,
    steps: [
      modelStep('classify_ticket', { text: question }, 'late_parcel', SMALL_MODEL, 410),
      searchStep(question),
      planStep(question),
      ...loopSteps([system, { role: 'user', content: question }]),
      modelStep('draft_reply', { ticket: TICKET, findings: [ORDER, WAREHOUSE] }, REPLY, LARGE_MODEL, 1_870),
      modelStep('check_reply', { reply: REPLY }, 'kind, true to the findings', SMALL_MODEL, 520),
    ],
  }
  const attributes = { env: 'production', user: 'ingrid', release: '2.3.0' }
  return { name: AGENT, startedAt, attributes, root }
}

function modelStep(op: string, inputs: object, content: string, model: string, ms: number): Step {
  const messages: Message[] = [
    { role: 'system', content: `Your only task: ${op.replace('_', ' ')}.` },
    { role: 'user', content: JSON.stringify(inputs) },
  ]
  return {
    op,
    inputs,
    output: content,
    ms: 6,
    steps: [chatCompletion({ model, messages, reply: { content }, ms })],
  }
}

function searchStep(text: string): Step {
  const found = { passages: 12 }
  return {
    op: 'search_policies',
    inputs: { text, limit: 3 },
    output: POLICIES,
    ms: 12,
    steps: [
      embedding(text, 95),
      { op: 'nearest_passages', inputs: { limit: 12 }, output: found, ms: 38 },
      { op: 'rerank', inputs: { text, passages: 12 }, output: POLICIES.map(({ id }) => id), ms: 61 },
    ],
  }
}

function planStep(question: string): Step {
  const plan = '1. Find the order. 2. Find the parcel. 3. If it is 3 days late, send it again. 4. Answer.'
  const system = 'You plan how a ticket is handled, in at most five steps.'
  return {
    op: 'make_plan',
    inputs: { ticket: TICKET.id, kind: 'late_parcel' },
    output: plan,
    ms: 9,
    steps: [claudeMessage(system, question, plan, 1_340)],
  }
}

function loopSteps(prompt: readonly Message[]): Step[] {
  let messages = prompt
  return LOOP.map((uses, n) => {
    const tool_calls = uses.map(({ name, args }) => toolCall(`call_${n}_${name}`, name, args))
    const reply = { content: null, tool_calls }
    const completion = chatCompletion({
      model: LARGE_MODEL,
      messages,
      tools: TOOLS,
      reply,
      ms: 780 + 140 * n,
    })
    const results = uses.map(({ name, output }): Message => ({
      role: 'tool',
      tool_call_id: `call_${n}_${name}`,
      content: output === undefined ? 'failed: the carrier did not answer' : JSON.stringify(output),
    }))
    messages = [...messages, { role: 'assistant', ...reply }, ...results]
    return {
      op: 'work_step',
      inputs: { ticket: TICKET.id, step: n + 1 },
      output: { is_done: n === LOOP.length - 1, findings: uses.flatMap(({ output }) => output ?? []) },
      ms: 14,
      steps: [completion, ...uses.map(toolStep)],
    }
  })
}

function toolStep({ name, args, output, exception, ms }: ToolUse): Step {
  const ended = exception === undefined ? { output } : { exception }
  return { op: name, inputs: args, ...ended, ms }
}
