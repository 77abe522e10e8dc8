import { eachChild, kindAt, skipSpace, skipValue, stringAt } from '../../client/browser/json-scan.ts'
import { base64Value, type MediaValue, mediaAt } from '../media/media-value.ts'
import type { ConversationDocument, Message, MessagePart } from './message.ts'

/**
 * Finds the messages in the inputs and the output of a call: those of OpenAI (chat and responses), Anthropic, Gemini,
 * LiteLLM, LangChain and whatever looks like them. Works on text, so that what tools were called with stays as it was.
 */

const MOST_MESSAGES = 400
const MOST_CHARACTERS = 20_000

export function readConversation(inputs: string, output: string): readonly Message[] | undefined {
  const asked = inputMessages(inputs)
  if (asked.length === 0) return undefined
  return [...asked, ...outputMessages(output)].slice(0, MOST_MESSAGES)
}

/** A value in a text. */
interface Spot {
  readonly document: ConversationDocument
  readonly text: string
  readonly at: number
}

function spot(document: ConversationDocument, text: string): Spot {
  return { document, text, at: skipSpace(text, 0) }
}

function kindOf({ text, at }: Spot): string {
  return at < text.length ? kindAt(text, at) : 'null'
}

function get(from: Spot | undefined, ...keys: readonly string[]): Spot | undefined {
  let here = from
  for (const key of keys) {
    if (here === undefined || kindOf(here) !== 'object') return undefined
    const { document, text, at } = here
    let found: Spot | undefined
    eachChild(text, at, (keyAt, valueAt) => {
      if (stringAt(text, keyAt) !== key) return true
      found = { document, text, at: valueAt }
      return false
    })
    here = found
  }
  return here
}

function items(list: Spot | undefined): Spot[] {
  const found: Spot[] = []
  if (list === undefined || kindOf(list) !== 'array') return found
  eachChild(list.text, list.at, (_, valueAt) => {
    found.push({ ...list, at: valueAt })
    return found.length < MOST_MESSAGES
  })
  return found
}

function textOf(value: Spot | undefined): string | undefined {
  return value !== undefined && kindOf(value) === 'string' ? stringAt(value.text, value.at) : undefined
}

function jsonOf({ text, at }: Spot): string {
  return text.slice(at, skipValue(text, at))
}

function cut(text: string): { readonly text: string; readonly isCut: boolean } {
  return { text: text.slice(0, MOST_CHARACTERS), isCut: text.length > MOST_CHARACTERS }
}

const LISTS: readonly (readonly string[])[] = [
  ['messages'],
  ['kwargs', 'messages'],
  ['request', 'messages'],
  ['body', 'messages'],
  ['contents'],
  ['input'],
]

function inputMessages(inputs: string): Message[] {
  const root = spot('inputs', inputs)
  if (kindOf(root) !== 'object') return []
  for (const keys of LISTS) {
    const list = get(root, ...keys)
    // LangChain sends batches: a list of lists.
    const found = items(list).flatMap((item) => (kindOf(item) === 'array' ? items(item) : [item]))
    const messages = found.flatMap((item) => messageOf(item, false))
    if (messages.length === 0 || messages.length < found.length / 2) continue
    const system = systemOf(root)
    return system === undefined ? messages : [system, ...messages]
  }
  return []
}

/** Anthropic and OpenAI's responses have it beside the messages. */
function systemOf(root: Spot): Message | undefined {
  const system = get(root, 'system') ?? get(root, 'instructions')
  const parts = system === undefined ? [] : partsOf(system)
  return parts.length === 0 ? undefined : { role: 'system', parts, isOutput: false }
}

function outputMessages(output: string): Message[] {
  const root = spot('output', output)
  const choices = items(get(root, 'choices')).flatMap((choice) =>
    messageOf(get(choice, 'message') ?? choice, true),
  )
  if (choices.length > 0) return choices
  const listed = items(get(root, 'output')).flatMap((item) => messageOf(item, true))
  if (listed.length > 0) return listed
  const candidates = items(get(root, 'candidates')).flatMap((each) => {
    const content = get(each, 'content')
    return content === undefined ? [] : messageOf(content, true)
  })
  if (candidates.length > 0) return candidates
  const own = messageOf(get(root, 'message') ?? root, true)
  if (own.length > 0) return own
  const text = textOf(root)
  if (text === undefined) return []
  return [{ role: 'assistant', parts: [{ kind: 'text', ...cut(text) }], isOutput: true }]
}

function messageOf(value: Spot, isOutput: boolean): Message[] {
  if (kindOf(value) !== 'object') {
    const text = textOf(value)
    return text === undefined || isOutput
      ? []
      : [{ role: 'user', parts: [{ kind: 'text', ...cut(text) }], isOutput }]
  }
  const type = textOf(get(value, 'type'))
  const alone = responseItem(value, type)
  if (alone !== undefined) return [{ ...alone, isOutput }]
  const role = textOf(get(value, 'role')) ?? langChainRole(value, type)
  const content = get(value, 'content') ?? get(value, 'parts') ?? get(value, 'kwargs', 'content')
  if (role === undefined || (content === undefined && get(value, 'tool_calls') === undefined)) return []
  const thought = textOf(get(value, 'reasoning_content'))
  const parts: MessagePart[] = [
    ...(thought === undefined ? [] : [{ kind: 'thinking' as const, ...cut(thought) }]),
    ...(content === undefined ? [] : role === 'tool' ? toolResult(value, content) : partsOf(content)),
    ...spoken(value),
    ...items(get(value, 'tool_calls') ?? get(value, 'kwargs', 'tool_calls')).map(toolCall),
  ]
  return [{ role: role === 'model' ? 'assistant' : role, parts, isOutput }]
}

/** Items of OpenAI's responses that are no messages. */
function responseItem(value: Spot, type: string | undefined): Omit<Message, 'isOutput'> | undefined {
  switch (type) {
    case 'function_call':
      return { role: 'assistant', parts: [toolCall(value)] }
    case 'function_call_output': {
      const output = get(value, 'output')
      return output === undefined ? undefined : { role: 'tool', parts: toolResult(value, output) }
    }
    case 'reasoning': {
      const text = items(get(value, 'summary')).flatMap((part) => textOf(get(part, 'text')) ?? [])
      return { role: 'assistant', parts: [{ kind: 'thinking', ...cut(text.join('\n')) }] }
    }
    case 'image_generation_call': {
      const result = get(value, 'result')
      const media = result === undefined ? undefined : base64Media(result, 'image')
      return { role: 'assistant', parts: [mediaPart(value, 'image', media)] }
    }
    default:
      return undefined
  }
}

function langChainRole(value: Spot, type: string | undefined): string | undefined {
  const kind = type === 'constructor' ? textOf(items(get(value, 'id')).at(-1)) : type
  if (kind === 'human' || kind === 'HumanMessage') return 'user'
  if (kind === 'ai' || kind === 'AIMessage' || kind === 'AIMessageChunk') return 'assistant'
  if (kind === 'system' || kind === 'SystemMessage') return 'system'
  return kind === 'tool' || kind === 'ToolMessage' ? 'tool' : undefined
}

/** A text, a list of blocks, or anything else as JSON. */
function partsOf(content: Spot): MessagePart[] {
  const text = textOf(content)
  if (text !== undefined) return text === '' ? [] : [{ kind: 'text', ...cut(text) }]
  if (kindOf(content) === 'null') return []
  if (kindOf(content) === 'array') return items(content).flatMap(blockOf)
  return blockOf(content)
}

function jsonPart(value: Spot): MessagePart {
  const { text, isCut } = cut(jsonOf(value))
  return { kind: 'json', json: text, isCut }
}

function blockOf(block: Spot): MessagePart[] {
  const plain = textOf(block) ?? textOf(get(block, 'text'))
  if (plain !== undefined) return [{ kind: 'text', ...cut(plain) }]
  const type = textOf(get(block, 'type'))
  const thought = textOf(get(block, 'thinking'))
  if (thought !== undefined) return [{ kind: 'thinking', ...cut(thought) }]
  if (type === 'tool_use' || type === 'tool_call' || get(block, 'functionCall') !== undefined) {
    return [toolCall(get(block, 'functionCall') ?? block)]
  }
  if (type === 'tool_result' || get(block, 'functionResponse') !== undefined) {
    const response = get(block, 'functionResponse')
    return toolResult(response ?? block, get(response, 'response') ?? get(block, 'content') ?? block)
  }
  return [mediaBlock(block, type) ?? jsonPart(block)]
}

/** Where providers put the bytes, or the address, of an image, a sound or a file. */
const MEDIA_PLACES: readonly (readonly string[])[] = [
  ['image_url', 'url'],
  ['image_url'],
  ['source', 'url'],
  ['source'],
  ['inline_data'],
  ['inlineData'],
  ['input_audio'],
  ['file', 'file_data'],
  ['file_data', 'file_uri'],
  ['fileData', 'fileUri'],
  ['file_data'],
  ['file_url'],
  ['image'],
  ['audio'],
  ['url'],
  [],
]

/** undefined for a block of something else. */
function mediaBlock(block: Spot, type: string | undefined): MessagePart | undefined {
  const name = mediaName(type)
  for (const keys of MEDIA_PLACES) {
    const place = get(block, ...keys)
    if (place === undefined) continue
    const media = mediaAt(place.text, place.at) ?? (name === undefined ? undefined : remoteAt(place))
    if (media !== undefined) return mediaPart(block, name ?? 'file', media)
  }
  return name === undefined ? undefined : mediaPart(block, name, undefined)
}

function mediaName(type: string | undefined): string | undefined {
  if (type === undefined) return undefined
  if (type === 'document') return 'file'
  return ['image', 'audio', 'file'].find((name) => type.includes(name))
}

function mediaPart({ document }: Spot, name: string, media: MediaValue | undefined): MessagePart {
  return { kind: 'media', name, media, document }
}

const ADDRESS = /^[a-z][\w+.-]*:/i

function remoteAt(place: Spot): MediaValue | undefined {
  const address = textOf(place)?.slice(0, 2000)
  return address !== undefined && ADDRESS.test(address) ? { kind: 'remote', address } : undefined
}

function base64Media(value: Spot, claimed: string): MediaValue | undefined {
  if (kindOf(value) !== 'string') return undefined
  return base64Value(value.text, value.at, skipValue(value.text, value.at), claimed)
}

/** What a model of OpenAI said aloud stands beside its text. */
function spoken(message: Spot): MessagePart[] {
  const audio = get(message, 'audio')
  if (audio === undefined || kindOf(audio) !== 'object') return []
  const text = textOf(get(audio, 'transcript'))
  return [
    ...(text === undefined ? [] : [{ kind: 'text' as const, ...cut(text) }]),
    mediaPart(audio, 'audio', mediaAt(audio.text, audio.at)),
  ]
}

/** What a tool was called with is often JSON within a string; then that is shown. */
function toolCall(call: Spot): MessagePart {
  const inner = get(call, 'function') ?? call
  const given = get(inner, 'arguments') ?? get(inner, 'input') ?? get(inner, 'args')
  const json = given === undefined ? '{}' : (textOf(given) ?? jsonOf(given))
  const { text, isCut } = cut(json)
  return { kind: 'tool call', name: textOf(get(inner, 'name')) ?? 'tool', json: text, isCut }
}

/** Its text, and after it what it shows. */
function toolResult(message: Spot, content: Spot): MessagePart[] {
  const blocks = items(content)
  const texts = blocks.flatMap((block) => textOf(get(block, 'text')) ?? [])
  const media = blocks.flatMap((block) => mediaBlock(block, textOf(get(block, 'type'))) ?? [])
  const text = textOf(content) ?? (texts.length + media.length > 0 ? texts.join('\n') : jsonOf(content))
  const name =
    textOf(get(message, 'name')) ??
    textOf(get(message, 'tool_call_id')) ??
    textOf(get(message, 'tool_use_id'))
  return [{ kind: 'tool result', name: name ?? 'tool', ...cut(text) }, ...media]
}
