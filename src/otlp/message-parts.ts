import { asText, isList, isObject, type Json, type JsonObject } from './json.ts'
import { parseJsonText } from './json-text.ts'
import { memberAt } from './readers.ts'

/** Parts of messages in the normal form of the GenAI conventions; parts of unknown types stay as they are. */

export function textPart(content: string): JsonObject {
  return { type: 'text', content }
}

/** Returns the same object for a part that is in the normal form. */
export function normalPart(part: Json): JsonObject {
  if (typeof part === 'string') return textPart(part)
  if (!isObject(part)) return { type: 'unknown', content: part }
  const inner = part['message_content']
  // OpenInference puts the call next to the content that only says `tool_use`.
  if (isObject(inner)) return (isObject(part['tool_call']) ? toolCall(part) : undefined) ?? normalPart(inner)
  const type = asText(part['type'])
  if (type === undefined) return untypedPart(part)
  return PARTS.get(type)?.(part, type) ?? part
}

/** Whether a value is a part of a known type. */
export function isKnownPart(value: JsonObject): boolean {
  const type = value['type']
  return typeof type === 'string' && PARTS.has(type)
}

type ReadPart = (part: JsonObject, type: string) => JsonObject | undefined

const PARTS: ReadonlyMap<string, ReadPart> = new Map<string, ReadPart>([
  ['text', textContent],
  ['input_text', textContent],
  ['output_text', textContent],
  ['reasoning', reasoning],
  ['thinking', reasoning],
  ['tool_call', toolCall],
  ['tool-call', toolCall],
  ['tool_use', toolCall],
  ['function', toolCall],
  ['function_call', toolCall],
  ['tool_call_response', toolResponse],
  ['tool-result', toolResponse],
  ['tool_result', toolResponse],
  ['function_call_output', toolResponse],
  ['blob', blob],
  ['image', media],
  ['image_url', media],
  ['input_image', media],
  ['input_audio', media],
  ['audio', media],
  ['file', media],
  ['input_file', media],
  ['document', media],
  ['media', media],
])

function textContent(part: JsonObject, type: string): JsonObject | undefined {
  if (type === 'text' && typeof part['content'] === 'string') return undefined
  const content = part['text'] ?? part['content'] ?? part['value']
  return typeof content === 'string' ? textPart(content) : undefined
}

function reasoning(part: JsonObject, type: string): JsonObject | undefined {
  const given = part['content']
  if (type === 'reasoning' && typeof given === 'string' && listInText(given) === undefined) return undefined
  const content = part['content'] ?? part['thinking'] ?? part['text'] ?? summaryText(part['summary'])
  if (typeof content !== 'string') return undefined
  return { type: 'reasoning', content: summaryText(listInText(content)) ?? content }
}

/** OpenLLMetry writes the summary of the Responses API as JSON. */
function listInText(text: string): Json | undefined {
  return text.startsWith('[{') && text.endsWith(']') ? parseJsonText(text) : undefined
}

function summaryText(summary: Json | undefined): string | undefined {
  if (!isList(summary) || !summary.every((item) => isObject(item) && typeof item['text'] === 'string'))
    return undefined
  return summary.flatMap((item) => (isObject(item) ? (asText(item['text']) ?? []) : [])).join('\n')
}

/** A tool call of any of the formats, in a message or in its list of tool calls. */
export function toolCall(call: Json): JsonObject | undefined {
  if (!isObject(call)) return undefined
  const outer = isObject(call['tool_call']) ? call['tool_call'] : call
  const inner = isObject(outer['function']) ? outer['function'] : outer
  if (outer['type'] === 'tool_call' && outer['arguments'] !== undefined && outer['name'] !== undefined)
    return outer === call ? undefined : outer
  const name = asText(inner['name']) ?? asText(outer['toolName']) ?? asText(outer['tool_name'])
  if (name === undefined) return undefined
  return {
    type: 'tool_call',
    id: outer['call_id'] ?? outer['id'] ?? outer['toolCallId'] ?? outer['tool_call_id'],
    name,
    arguments: inner['arguments'] ?? inner['input'] ?? inner['args'] ?? inner['parameters'] ?? {},
  }
}

function toolResponse(part: JsonObject, type: string): JsonObject | undefined {
  if (type === 'tool_call_response' && part['response'] !== undefined) return undefined
  const response = part['response'] ?? part['result'] ?? part['output'] ?? part['content']
  if (response === undefined) return undefined
  return {
    type: 'tool_call_response',
    id: part['id'] ?? part['toolCallId'] ?? part['tool_use_id'] ?? part['call_id'] ?? part['tool_call_id'],
    name: part['name'] ?? part['toolName'],
    response: type === 'tool-result' ? aiSdkValue(response) : response,
  }
}

/** Since version 5 of the AI SDK, results are `{type, value}`. */
function aiSdkValue(output: Json): Json {
  return isObject(output) && typeof output['type'] === 'string' && output['value'] !== undefined
    ? output['value']
    : output
}

function blob(part: JsonObject): JsonObject | undefined {
  if (part['content'] !== undefined || part['data'] === undefined) return undefined
  const { data, ...rest } = part
  return { ...rest, content: data, modality: part['modality'] ?? modality(asText(part['mime_type']), 'file') }
}

function modality(mime_type: string | undefined, otherwise: string): string {
  const name = mime_type?.slice(0, mime_type.indexOf('/'))
  return name === 'image' || name === 'audio' || name === 'video' ? name : otherwise
}

/** Images, audio and files of OpenAI, Anthropic, the AI SDK and OpenInference. */
function media(part: JsonObject, type: string): JsonObject | undefined {
  if (part['modality'] !== undefined) return undefined
  const name = type.includes('audio') ? 'audio' : type.includes('image') ? 'image' : 'file'
  const inner = [
    part['image_url'],
    part['source'],
    part['input_audio'],
    part['file'],
    part['image'],
    part['audio'],
  ].find((each) => each !== undefined && each !== null)
  const nested = isObject(inner) ? (isObject(inner['image']) ? inner['image'] : inner) : part
  const mime_type =
    asText(nested['media_type'] ?? nested['mediaType'] ?? nested['mimeType'] ?? nested['mime_type']) ??
    asText(part['mediaType'] ?? part['mimeType'] ?? part['mime_type']) ??
    (typeof nested['format'] === 'string' ? `audio/${nested['format']}` : undefined)
  const file_id = asText(nested['file_id'])
  if (file_id !== undefined) return { type: 'file', modality: modality(mime_type, name), mime_type, file_id }
  const value =
    typeof inner === 'string'
      ? inner
      : (bufferText(nested) ??
        nested['url'] ??
        dataText(nested['data']) ??
        nested['file_data'] ??
        nested['file_url'])
  // Langfuse uploads the bytes, and writes a reference to them.
  if (typeof value !== 'string' || value.startsWith('@@@langfuseMedia:')) return undefined
  return mediaPart(value, mime_type, name)
}

/** A `Buffer` or `Uint8Array` of JavaScript, as `JSON.stringify` writes it, in base64. */
function bufferText(value: JsonObject): string | undefined {
  if (value['type'] === 'Buffer') return bytesText(value['data'])
  return value['0'] === undefined ? undefined : bytesText(Object.values(value))
}

function dataText(data: Json | undefined): Json | undefined {
  return (isObject(data) ? bufferText(data) : bytesText(data)) ?? data
}

function bytesText(list: unknown): string | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined
  const bytes = (list as readonly unknown[]).filter(isByte)
  return bytes.length === list.length ? Buffer.from(bytes).toString('base64') : undefined
}

function isByte(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 256
}

const DATA_URL = /^data:([^;,]{0,100})(?:;[^,]{0,100})?,/

/** Base64, a data URL or another URL. */
function mediaPart(value: string, mime_type: string | undefined, name: string): JsonObject {
  const head = DATA_URL.exec(value.slice(0, 256))
  if (head !== null) {
    const type = head[1] || mime_type
    return {
      type: 'blob',
      modality: modality(type, name),
      mime_type: type,
      content: value.slice(head[0].length),
    }
  }
  const isUrl = /^[a-z][a-z\d+.-]{1,20}:/i.test(value.slice(0, 24))
  return isUrl
    ? { type: 'uri', modality: modality(mime_type, name), mime_type, uri: value }
    : { type: 'blob', modality: modality(mime_type, name), mime_type, content: value }
}

/** Blocks of Amazon Bedrock and Strands: the only member names the type. */
const BLOCKS: ReadonlyMap<string, (block: JsonObject) => JsonObject | undefined> = new Map([
  [
    'toolUse',
    ({ toolUseId, ...call }: JsonObject): JsonObject | undefined => toolCall({ ...call, id: toolUseId }),
  ],
  [
    'toolResult',
    ({ toolUseId, content, ...rest }: JsonObject): JsonObject => ({
      type: 'tool_call_response',
      id: toolUseId,
      response: content ?? null,
      ...rest,
    }),
  ],
  [
    'reasoningContent',
    (block: JsonObject): JsonObject | undefined => {
      const content = memberAt(block, 'reasoningText', 'text')
      return typeof content === 'string' ? { type: 'reasoning', content } : undefined
    },
  ],
  ...['image', 'document', 'video', 'audio'].map((name) => [name, blockMedia(name)] as const),
])

function blockMedia(name: string) {
  return ({ format, source }: JsonObject): JsonObject | undefined => {
    const data = memberAt(source, 'bytes')
    const content = typeof data === 'string' ? data : bytesText(data)
    if (content === undefined) return undefined
    const mime_type = typeof format === 'string' && name !== 'document' ? `${name}/${format}` : undefined
    return mediaPart(content, mime_type, name === 'document' ? 'file' : name)
  }
}

/** Whether all are blocks of Bedrock, which have no member `type`. */
export function areBlocks(parts: readonly Json[]): boolean {
  return parts.every((part) => {
    if (!isObject(part)) return false
    const [name, ...others] = Object.keys(part)
    return name !== undefined && others.length === 0 && (name === 'text' || BLOCKS.has(name))
  })
}

function blockPart(part: JsonObject): JsonObject | undefined {
  const [name = '', ...others] = Object.keys(part)
  const block = part[name]
  return others.length === 0 && isObject(block) ? BLOCKS.get(name)?.(block) : undefined
}

/** Gemini has no types. */
function untypedPart(part: JsonObject): JsonObject {
  const block = blockPart(part)
  if (block !== undefined) return block
  const text = part['text']
  if (typeof text === 'string')
    return part['thought'] === true ? { type: 'reasoning', content: text } : textPart(text)
  const call = part['functionCall'] ?? part['function_call']
  if (isObject(call)) return toolCall(call) ?? part
  const response = part['functionResponse'] ?? part['function_response']
  if (isObject(response))
    return {
      type: 'tool_call_response',
      id: response['id'],
      name: response['name'],
      response: response['response'] ?? null,
    }
  const data = part['inlineData'] ?? part['inline_data']
  const file = part['fileData'] ?? part['file_data']
  const source = isObject(data) ? data : isObject(file) ? file : undefined
  if (source === undefined) return typeof part['content'] === 'string' ? textPart(part['content']) : part
  const mime_type = asText(source['mimeType'] ?? source['mime_type'])
  const value = source['data'] ?? source['fileUri'] ?? source['file_uri']
  return typeof value === 'string' ? mediaPart(value, mime_type, 'file') : part
}
