import type { ChatRequest, ModelReply, Usage } from '../../model-server.ts'

/** What the model of assistant.py replies: the first entry whose pattern occurs in the last message of the user. */
const REPLIES: readonly {
  readonly question: RegExp
  readonly tool?: readonly [name: string, argument: Readonly<Record<string, string>>]
  readonly text: string
}[] = [
  { question: /^Rate from 0 to 1[^]*do not know/, text: '0.25' },
  { question: /^Rate from 0 to 1/, text: '0.8' },
  {
    question: /refund order (\S+)/,
    tool: ['refund_order', { order_id: 'A-1042' }],
    text: 'The refund is on its way.',
  },
  {
    question: /order A-1042/,
    tool: ['get_order', { order_id: 'A-1042' }],
    text: 'Your **Trail running shoes** arrive on **2026-11-19**.\n\n| Step | Date |\n|---|---|\n| Packed | 2026-11-16 |\n| Shipped | 2026-11-17 |\n\nTrack it with `order A-1042`.',
  },
  {
    question: /order A-1077/,
    tool: ['get_order', { order_id: 'A-1077' }],
    text: 'Your tent is packed and arrives on 2026-11-21.',
  },
  {
    question: /sizes/,
    text: 'Sizes 36 to 48:\n\n1. women 36–42\n2. men 40–48\n\n```python\nsize_eu = round(cm * 1.5 + 2)\n```',
  },
  {
    question: /return policy|إرجاع/,
    tool: ['search_articles', { query: 'returns' }],
    text: 'Unused articles can be returned within 30 days.\n\n- [x] original box\n- [ ] receipt',
  },
  {
    question: /Versand/,
    tool: ['search_articles', { query: 'Versand Schweiz' }],
    text: 'Der Versand in die Schweiz dauert 2 bis 3 Tage und kostet CHF 7.50.',
  },
  {
    question: /雨/,
    tool: ['search_articles', { query: 'waterproof' }],
    text: 'はい、耐水圧は3,000 mmなので、大雨でも安心です。',
  },
  { question: /picture/, text: 'A dark green label that says “Nordwand”.' },
  { question: /^Summarize/, text: 'Shipping to Switzerland takes 2 to 3 days; it is free above CHF 100.' },
  { question: /pack in winter/, text: 'An avalanche transceiver, a shovel and a probe. *Never* go alone.' },
]

const UNKNOWN = { text: 'I do not know.' } as const
/** A model without a price, which does not know German. */
const CUSTOM_MODEL = 'nordwand-7b'

export function replyOfShopModel({ messages, tools = [], model }: ChatRequest): ModelReply {
  const asked = textOf(messages.findLast(({ role }) => role === 'user')?.content)
  const known = REPLIES.find(({ question }) => question.test(asked))
  const reply = known === undefined || (model === CUSTOM_MODEL && asked.includes('Versand')) ? UNKNOWN : known
  const toolHasReplied = messages.at(-1)?.role === 'tool'
  const usage = usageOf(JSON.stringify([messages, tools]), reply.text)
  if ('tool' in reply && reply.tool !== undefined && tools.length > 0 && !toolHasReplied)
    return {
      tool: { name: reply.tool[0], arguments: JSON.stringify(reply.tool[1]) },
      usage,
      ms: 30,
    }
  return { text: reply.text, usage, ms: model === 'gpt-4o' ? 60 : 40 }
}

/** About as many tokens as a real model counts. */
function usageOf(request: string, text: string): Usage {
  return {
    prompt: Math.ceil(request.length / 4),
    completion: Math.ceil(text.length / 4),
    cached: 16,
    reasoning: 0,
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { readonly text?: string }) => part.text ?? '').join('\n')
}
