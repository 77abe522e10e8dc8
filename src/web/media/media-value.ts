import { eachChild, kindAt, skipValue, stringAt } from '../../client/browser/json-scan.ts'
import { parseDataUrlHeader } from './data-url.ts'

/** A payload value that represents an image, audio or file. Its actual type is known only from its bytes. */
export type MediaValue = InlineMedia | StoredMedia | RemoteMedia

/** Media embedded in the document, in the string from `at` to `end` including its quotes. */
export interface InlineMedia {
  readonly kind: 'inline'
  readonly at: number
  readonly end: number
  readonly encoding: 'data url' | 'base64'
  /** The type that the payload declares. For display only, never trusted. */
  readonly declaredType: string
}

/** Media in a file of the project, stored by content digest. */
export interface StoredMedia {
  readonly kind: 'stored'
  /** The type name of the SDK, such as `PIL.Image.Image`. */
  readonly declaredType: string
  readonly file: StoredFile
  /** Metadata of a `Content` value: its file name and type. */
  readonly metadataFile: StoredFile | undefined
}

interface StoredFile {
  readonly name: string
  readonly digest: string
}

/** Media at a remote URL. It is never fetched, because a request would reveal who reads which trace. */
interface RemoteMedia {
  readonly kind: 'remote'
  readonly url: string
}

/** Detects whether the value from `at` to `end` is media. Reads only a small part, even of large values. */
export function mediaAt(text: string, at: number, end = skipValue(text, at)): MediaValue | undefined {
  switch (kindAt(text, at)) {
    case 'string':
      return dataUrlAt(text, at, end)
    case 'object':
      return storedAt(text, at, end) ?? base64At(text, at)
    default:
      return undefined
  }
}

function dataUrlAt(text: string, at: number, end: number): InlineMedia | undefined {
  const header = parseDataUrlHeader(
    text.slice(at + 1, Math.min(end, at + 300)).replaceAll(String.raw`\/`, '/'),
  )
  if (header === undefined) return undefined
  // Plain-text data URLs of other types are more readable in place.
  if (!header.isBase64 && !/^(?:image|audio)\//i.test(header.type)) return undefined
  return { kind: 'inline', at, end, encoding: 'data url', declaredType: header.type }
}

/** Longer values are not written by an SDK and would be slow to parse. */
const MAX_STORED_CHARACTERS = 20_000
/** Metadata files that SDKs store next to the content. */
const METADATA_FILE = /^_?metadata\.json$/

/** Custom types of Weave: `{"_type": "CustomWeaveType", "weave_type": {"type": …}, "files": {name: digest}}`. */
function storedAt(text: string, at: number, end: number): StoredMedia | undefined {
  if (end - at > MAX_STORED_CHARACTERS) return undefined
  const json = text.slice(at, end)
  if (!json.includes('"CustomWeaveType"')) return undefined
  const value = JSON.parse(json) as Readonly<Record<string, unknown>>
  const declaredType = getMember(value['weave_type'], 'type')
  if (value['_type'] !== 'CustomWeaveType' || typeof declaredType !== 'string' || declaredType === 'Op')
    return undefined
  const files = Object.entries(value['files'] ?? {}).flatMap(([name, digest]) =>
    typeof digest === 'string' ? [{ name, digest }] : [],
  )
  const file = files.find(({ name }) => !METADATA_FILE.test(name))
  if (file === undefined) return undefined
  return {
    kind: 'stored',
    declaredType,
    file,
    metadataFile: files.find(({ name }) => name === 'metadata.json'),
  }
}

function getMember(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
}

const FIRST_KEY =
  /^\{\s*"(?:type|source_type|id|data|media_type|mime_type|mimeType|mediaType|format|transcript)"/
const TYPE_KEYS: readonly string[] = ['media_type', 'mime_type', 'mimeType', 'mediaType']
const MAX_MEMBERS = 12
const BASE64 = /^[\w+/-]{16,}=*$/

/** The format of Anthropic, Gemini, OpenAI (audio) and LangChain: `data` next to the type. */
function base64At(text: string, at: number): InlineMedia | undefined {
  if (!FIRST_KEY.test(text.slice(at, at + 40))) return undefined
  let data: readonly [number, number] | undefined
  let declaredType: string | undefined
  let members = 0
  eachChild(text, at, (keyAt, valueAt, end) => {
    if (kindAt(text, valueAt) === 'string') {
      const key = stringAt(text, keyAt)
      if (key === 'data') data = [valueAt, end]
      else if (key === 'transcript') declaredType ??= 'audio'
      else if (TYPE_KEYS.includes(key)) declaredType = stringAt(text, valueAt, end)
      else if (key === 'format') declaredType = `audio/${stringAt(text, valueAt, end)}`
    }
    return ++members < MAX_MEMBERS
  })
  if (data === undefined || declaredType === undefined) return undefined
  return base64Media(text, data[0], data[1], declaredType)
}

/** A base64 string; `undefined` if its start is not base64. */
export function base64Media(
  text: string,
  at: number,
  end: number,
  declaredType: string,
): InlineMedia | undefined {
  const prefix = text.slice(at + 1, Math.min(end - 1, at + 65)).replaceAll(String.raw`\/`, '/')
  return BASE64.test(prefix) ? { kind: 'inline', at, end, encoding: 'base64', declaredType } : undefined
}
