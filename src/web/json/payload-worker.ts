import { createBrowserClient } from '../../client/browser/client.ts'
import { eachChild, skipSpace, stringAt } from '../../client/browser/json-scan.ts'
import { ApiError } from '../../client/browser/api-error.ts'
import { readConversation } from '../call/conversation.ts'
import { JsonIndex } from './json-index.ts'
import {
  type Answered,
  type Asked,
  type DocumentName,
  DOCUMENTS,
  INLINE_CHARACTERS,
  type OpenedCall,
  type PayloadAnswers,
  type PayloadQuestion,
} from './payload-messages.ts'

/**
 * Fetches calls and looks into their documents, so that one of 20 MB stalls nobody. Runs as a worker; payload-client.ts
 * speaks with it.
 */
const client = createBrowserClient()
const opened = new Map<number, Readonly<Record<DocumentName, JsonIndex>>>()

/** What a worker has and a page has not. */
interface Port {
  addEventListener(kind: 'message', heard: (event: MessageEvent<Asked>) => void): void
  postMessage(message: Answered, transfer: readonly Transferable[]): void
}

const port = globalThis as unknown as Port
port.addEventListener('message', ({ data }) => void answer(data))

async function answer({ id, question }: Asked): Promise<void> {
  try {
    const found = question.kind === 'open' ? await open(id, question) : look(question)
    port.postMessage({ id, ok: true, answer: found }, [])
  } catch (error) {
    const code = error instanceof ApiError ? error.code : 'internal'
    const reason = error instanceof Error ? error.message : String(error)
    port.postMessage({ id, ok: false, code, reason }, [])
  }
}

async function open(
  id: number,
  { project_id, call_id }: Extract<PayloadQuestion, { kind: 'open' }>,
): Promise<OpenedCall | null> {
  const text = await client.text('call_read', { project_id, id: call_id, include_costs: true })
  const parts = partsOf(text)
  if (parts === undefined) return null
  const indexes = Object.fromEntries(
    DOCUMENTS.map((name) => [name, new JsonIndex(parts.documents.get(name) ?? 'null')]),
  ) as Record<DocumentName, JsonIndex>
  opened.set(id, indexes)
  return {
    rest: parts.rest,
    documents: Object.fromEntries(
      DOCUMENTS.map((name) => {
        const { text } = indexes[name]
        return [name, { size: text.length, text: text.length <= INLINE_CHARACTERS ? text : undefined }]
      }),
    ) as OpenedCall['documents'],
    conversation: readConversation(indexes.inputs.text, indexes.output.text),
  }
}

interface Parts {
  readonly documents: ReadonlyMap<string, string>
  readonly rest: string
}

/** undefined for a call that is not there: `{"call": null}`. */
function partsOf(text: string): Parts | undefined {
  let callAt = -1
  eachChild(text, skipSpace(text, 0), (keyAt, valueAt) => {
    if (stringAt(text, keyAt) === 'call') callAt = valueAt
  })
  if (callAt === -1 || !text.startsWith('{', callAt)) return undefined
  const documents = new Map<string, string>()
  const rest: string[] = []
  eachChild(text, callAt, (keyAt, valueAt, end) => {
    const key = stringAt(text, keyAt)
    if ((DOCUMENTS as readonly string[]).includes(key)) documents.set(key, text.slice(valueAt, end))
    else rest.push(text.slice(keyAt, end))
  })
  return { documents, rest: `{${rest.join(',')}}` }
}

function look(question: Exclude<PayloadQuestion, { kind: 'open' }>): PayloadAnswers[keyof PayloadAnswers] {
  if (question.kind === 'close') {
    opened.delete(question.key)
    return null
  }
  const index = opened.get(question.key)?.[question.document]
  if (index === undefined) throw new Error('the call is not open any more')
  switch (question.kind) {
    case 'root':
      return index.root
    case 'children':
      return index.children(question.at, question.from, question.to)
    case 'find':
      return index.find(question.text)
    case 'pathTo':
      return index.pathTo(question.offset)
    case 'slice':
      return index.slice(question.at, question.end)
    case 'stringText':
      return index.stringText(question.at, question.end, question.most)
    case 'bytes':
      return index.bytes(question.at, question.end, question.form)
  }
}
