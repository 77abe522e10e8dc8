import { skipValue } from '../../client/browser/json-scan.ts'
import { base64Media, type MediaValue, mediaAt } from '../media/media-value.ts'
import {
  cursorKind,
  type DocumentCursor,
  getItems,
  getMember,
  jsonText,
  rootCursor,
  stringValue,
} from './document-cursor.ts'
import type { Message, MessagePart } from './message.ts'

/**
 * Extracts the messages from the inputs and output of a call: the formats of OpenAI (chat and responses), Anthropic,
 * Gemini, LiteLLM, LangChain, OpenTelemetry and similar ones. Works on JSON text, so that tool arguments keep their original spelling.
 */

const MAX_MESSAGES = 400
const MAX_CHARACTERS = 20_000

export function readConversation(inputs: string, output: string): readonly Message[] | undefined {
  const messages = inputMessages(inputs)
  if (messages.length === 0) return undefined
  return nameToolResults([...messages, ...outputMessages(output)].slice(0, MAX_MESSAGES))
}

/** The messages of one document, which is either the inputs or the output of a call of a model. */
export function readMessages(json: string): readonly Message[] {
  const messages = inputMessages(json)
  return nameToolResults(messages.length > 0 ? messages : responseMessages(json))
}

/** Results of tools refer to the call by its ID; readers want the name of the tool. */
function nameToolResults(messages: readonly Message[]): readonly Message[] {
  const names = new Map<string, string>()
  return messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => {
      if (part.kind === 'tool call' && part.id !== undefined) names.set(part.id, part.name)
      if (part.kind !== 'tool result' || part.id === undefined) return part
      return { ...part, name: names.get(part.id) ?? part.name }
    }),
  }))
}

function truncate(text: string): { readonly text: string; readonly isTruncated: boolean } {
  return { text: text.slice(0, MAX_CHARACTERS), isTruncated: text.length > MAX_CHARACTERS }
}

const MESSAGE_LIST_PATHS: readonly (readonly string[])[] = [
  ['messages'],
  ['kwargs', 'messages'],
  ['request', 'messages'],
  ['body', 'messages'],
  ['contents'],
  ['input'],
]

function inputMessages(inputs: string): Message[] {
  const root = rootCursor('inputs', inputs)
  if (cursorKind(root) !== 'object') return []
  for (const keys of MESSAGE_LIST_PATHS) {
    const list = getMember(root, ...keys)
    // LangChain sends batches, which are arrays of arrays.
    const found = getItems(list).flatMap((item) => (cursorKind(item) === 'array' ? getItems(item) : [item]))
    const messages = found.flatMap((item) => parseMessage(item, false))
    if (messages.length === 0 || messages.length < found.length / 2) continue
    const system = systemMessage(root)
    return system === undefined ? messages : [system, ...messages]
  }
  return []
}

/** Anthropic and the OpenAI Responses API have the system prompt next to the messages. */
function systemMessage(root: DocumentCursor): Message | undefined {
  const system = getMember(root, 'system') ?? getMember(root, 'instructions')
  const parts = system === undefined ? [] : parseParts(system)
  return parts.length === 0 ? undefined : { role: 'system', parts, isOutput: false }
}

function outputMessages(output: string): Message[] {
  const messages = responseMessages(output)
  if (messages.length > 0) return messages
  const text = stringValue(rootCursor('output', output))
  if (text === undefined) return []
  return [{ role: 'assistant', parts: [{ kind: 'text', ...truncate(text) }], isOutput: true }]
}

/** The messages in the response of a model. */
function responseMessages(output: string): Message[] {
  const root = rootCursor('output', output)
  const choices = getItems(getMember(root, 'choices')).flatMap((choice) =>
    parseMessage(getMember(choice, 'message') ?? choice, true),
  )
  if (choices.length > 0) return choices
  const list = getMember(root, 'output') ?? getMember(root, 'messages')
  const listed = getItems(list).flatMap((item) => parseMessage(item, true))
  if (listed.length > 0) return listed
  const candidates = getItems(getMember(root, 'candidates')).flatMap((each) => {
    const content = getMember(each, 'content')
    return content === undefined ? [] : parseMessage(content, true)
  })
  if (candidates.length > 0) return candidates
  return parseMessage(getMember(root, 'message') ?? root, true)
}

function parseMessage(value: DocumentCursor, isOutput: boolean): Message[] {
  if (cursorKind(value) !== 'object') {
    const text = stringValue(value)
    return text === undefined || isOutput
      ? []
      : [{ role: 'user', parts: [{ kind: 'text', ...truncate(text) }], isOutput }]
  }
  const type = stringValue(getMember(value, 'type'))
  const standalone = responseItem(value, type)
  if (standalone !== undefined) return [{ ...standalone, isOutput }]
  const role = stringValue(getMember(value, 'role')) ?? langChainRole(value, type)
  const own = getMember(value, 'content') ?? getMember(value, 'kwargs', 'content')
  const content = own ?? getMember(value, 'parts')
  if (role === undefined || (content === undefined && getMember(value, 'tool_calls') === undefined)) return []
  const reasoning = stringValue(getMember(value, 'reasoning_content'))
  const parts: MessagePart[] = [
    ...(reasoning === undefined ? [] : [{ kind: 'thinking' as const, ...truncate(reasoning) }]),
    ...(content === undefined
      ? []
      : role === 'tool' && own !== undefined
        ? toolResult(value, content)
        : parseParts(content)),
    ...audioParts(value),
    ...getItems(getMember(value, 'tool_calls') ?? getMember(value, 'kwargs', 'tool_calls')).map(toolCall),
  ]
  return [{ role: role === 'model' ? 'assistant' : role, parts, isOutput }]
}

/** Items of the OpenAI Responses API that are not messages. */
function responseItem(
  value: DocumentCursor,
  type: string | undefined,
): Omit<Message, 'isOutput'> | undefined {
  switch (type) {
    case 'function_call':
      return { role: 'assistant', parts: [toolCall(value)] }
    case 'function_call_output': {
      const output = getMember(value, 'output')
      return output === undefined ? undefined : { role: 'tool', parts: toolResult(value, output) }
    }
    case 'reasoning': {
      const text = getItems(getMember(value, 'summary')).flatMap(
        (part) => stringValue(getMember(part, 'text')) ?? [],
      )
      return { role: 'assistant', parts: [{ kind: 'thinking', ...truncate(text.join('\n')) }] }
    }
    case 'image_generation_call': {
      const result = getMember(value, 'result')
      const media = result === undefined ? undefined : base64MediaAt(result, 'image')
      return { role: 'assistant', parts: [mediaPart(value, 'image', media)] }
    }
    default:
      return undefined
  }
}

function langChainRole(value: DocumentCursor, type: string | undefined): string | undefined {
  const kind = type === 'constructor' ? stringValue(getItems(getMember(value, 'id')).at(-1)) : type
  if (kind === 'human' || kind === 'HumanMessage') return 'user'
  if (kind === 'ai' || kind === 'AIMessage' || kind === 'AIMessageChunk') return 'assistant'
  if (kind === 'system' || kind === 'SystemMessage') return 'system'
  return kind === 'tool' || kind === 'ToolMessage' ? 'tool' : undefined
}

/** The parts of a message content: a string, an array of blocks, or any other value as JSON. */
function parseParts(content: DocumentCursor): MessagePart[] {
  const text = stringValue(content)
  if (text !== undefined) return text === '' ? [] : [{ kind: 'text', ...truncate(text) }]
  if (cursorKind(content) === 'null') return []
  if (cursorKind(content) === 'array') return getItems(content).flatMap(parseBlock)
  return parseBlock(content)
}

function jsonPart(value: DocumentCursor): MessagePart {
  const { text, isTruncated } = truncate(jsonText(value))
  return { kind: 'json', json: text, isTruncated }
}

function parseBlock(block: DocumentCursor): MessagePart[] {
  const blockText = stringValue(block) ?? stringValue(getMember(block, 'text'))
  if (blockText !== undefined) return [{ kind: 'text', ...truncate(blockText) }]
  const type = stringValue(getMember(block, 'type'))
  const content = stringValue(getMember(block, 'content'))
  if (type === 'text' && content !== undefined) return [{ kind: 'text', ...truncate(content) }]
  const reasoning = stringValue(getMember(block, 'thinking')) ?? (type === 'reasoning' ? content : undefined)
  if (reasoning !== undefined) return [{ kind: 'thinking', ...truncate(reasoning) }]
  if (type === 'tool_use' || type === 'tool_call' || getMember(block, 'functionCall') !== undefined) {
    return [toolCall(getMember(block, 'functionCall') ?? block)]
  }
  if (type === 'tool_result' || getMember(block, 'functionResponse') !== undefined) {
    const response = getMember(block, 'functionResponse')
    return toolResult(
      response ?? block,
      getMember(response, 'response') ?? getMember(block, 'content') ?? block,
    )
  }
  if (type === 'tool_call_response') {
    return toolResult(block, getMember(block, 'response') ?? getMember(block, 'result') ?? block)
  }
  return [openTelemetryMedia(block, type) ?? mediaBlock(block, type) ?? jsonPart(block)]
}

/** Paths at which providers put the bytes or the URL of an image, audio or file. */
const MEDIA_PATHS: readonly (readonly string[])[] = [
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

/** `undefined` if the block is not media. */
function mediaBlock(block: DocumentCursor, type: string | undefined): MessagePart | undefined {
  const name = mediaName(type)
  for (const keys of MEDIA_PATHS) {
    const candidate = getMember(block, ...keys)
    if (candidate === undefined) continue
    const media =
      mediaAt(candidate.text, candidate.at) ?? (name === undefined ? undefined : remoteMedia(candidate))
    if (media !== undefined) return mediaPart(block, name ?? 'file', media)
  }
  return name === undefined ? undefined : mediaPart(block, name, undefined)
}

/** Bytes or the address of a file in a message of OpenTelemetry. */
function openTelemetryMedia(block: DocumentCursor, type: string | undefined): MessagePart | undefined {
  const name = stringValue(getMember(block, 'modality')) ?? 'file'
  const uri = type === 'uri' ? getMember(block, 'uri') : undefined
  if (uri !== undefined) return mediaPart(block, name, mediaAt(uri.text, uri.at) ?? remoteMedia(uri))
  const bytes = type === 'blob' ? (getMember(block, 'content') ?? getMember(block, 'data')) : undefined
  if (bytes === undefined) return undefined
  return mediaPart(block, name, base64MediaAt(bytes, stringValue(getMember(block, 'mime_type')) ?? name))
}

function mediaName(type: string | undefined): string | undefined {
  if (type === undefined) return undefined
  if (type === 'document') return 'file'
  return ['image', 'audio', 'file'].find((name) => type.includes(name))
}

function mediaPart({ document }: DocumentCursor, name: string, media: MediaValue | undefined): MessagePart {
  return { kind: 'media', name, media, document }
}

const URL_SCHEME = /^[a-z][\w+.-]*:/i

function remoteMedia(candidate: DocumentCursor): MediaValue | undefined {
  const url = stringValue(candidate)?.slice(0, 2000)
  return url !== undefined && URL_SCHEME.test(url) ? { kind: 'remote', url } : undefined
}

function base64MediaAt(value: DocumentCursor, declaredType: string): MediaValue | undefined {
  if (cursorKind(value) !== 'string') return undefined
  return base64Media(value.text, value.at, skipValue(value.text, value.at), declaredType)
}

/** OpenAI audio output, which is next to the text of a message. */
function audioParts(message: DocumentCursor): MessagePart[] {
  const audio = getMember(message, 'audio')
  if (audio === undefined || cursorKind(audio) !== 'object') return []
  const text = stringValue(getMember(audio, 'transcript'))
  return [
    ...(text === undefined ? [] : [{ kind: 'text' as const, ...truncate(text) }]),
    mediaPart(audio, 'audio', mediaAt(audio.text, audio.at)),
  ]
}

/** A tool call. Arguments that are a JSON string are shown decoded. */
function toolCall(call: DocumentCursor): MessagePart {
  const inner = getMember(call, 'function') ?? call
  const args = getMember(inner, 'arguments') ?? getMember(inner, 'input') ?? getMember(inner, 'args')
  const json = args === undefined ? '{}' : (stringValue(args) ?? jsonText(args))
  const { text, isTruncated } = truncate(json)
  return {
    kind: 'tool call',
    id: stringValue(getMember(call, 'call_id')) ?? stringValue(getMember(call, 'id')),
    name: stringValue(getMember(inner, 'name')) ?? 'tool',
    json: text,
    isTruncated,
  }
}

/** A tool result: its text, followed by its media. */
function toolResult(message: DocumentCursor, content: DocumentCursor): MessagePart[] {
  const blocks = getItems(content)
  const texts = blocks.flatMap((block) => stringValue(getMember(block, 'text')) ?? [])
  const media = blocks.flatMap((block) => mediaBlock(block, stringValue(getMember(block, 'type'))) ?? [])
  const text =
    stringValue(content) ?? (texts.length + media.length > 0 ? texts.join('\n') : jsonText(content))
  const id =
    stringValue(getMember(message, 'tool_call_id')) ??
    stringValue(getMember(message, 'tool_use_id')) ??
    stringValue(getMember(message, 'call_id')) ??
    stringValue(getMember(message, 'id'))
  const name = stringValue(getMember(message, 'name')) ?? id ?? 'tool'
  return [{ kind: 'tool result', id, name, ...truncate(text) }, ...media]
}
