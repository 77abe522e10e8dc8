import { eachChild, kindAt, skipValue, stringAt } from '../../client/browser/json-scan.ts'
import { dataUrlHead } from './data-url.ts'

/** A value of a payload that stands for an image, a sound or a file. What it is, only its bytes can say. */
export type MediaValue = InlineMedia | StoredMedia | RemoteMedia

/** The bytes stand in the document itself, in the string from `at` to `end`, its quotes included. */
export interface InlineMedia {
  readonly kind: 'inline'
  readonly at: number
  readonly end: number
  readonly form: 'data url' | 'base64'
  /** The type that the payload says it has: a word to show, never to go by. */
  readonly claimed: string
}

/** The bytes are a file of the project, stored under the digest of its content. */
export interface StoredMedia {
  readonly kind: 'stored'
  /** As the SDK calls it, such as `PIL.Image.Image`. */
  readonly claimed: string
  readonly file: StoredFile
  /** What `Content` says about itself: its name and its type. */
  readonly about: StoredFile | undefined
}

interface StoredFile {
  readonly name: string
  readonly digest: string
}

/** It is on another machine, which is never asked for it: that would tell who reads which trace. */
interface RemoteMedia {
  readonly kind: 'remote'
  readonly address: string
}

/** What the value from `at` to `end` stands for, if it is media. Looks at little of it, however large it is. */
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
  const head = dataUrlHead(text.slice(at + 1, Math.min(end, at + 300)).replaceAll(String.raw`\/`, '/'))
  if (head === undefined) return undefined
  // Other text than that of images is read better where it stands.
  if (!head.isBase64 && !/^(?:image|audio)\//i.test(head.type)) return undefined
  return { kind: 'inline', at, end, form: 'data url', claimed: head.type }
}

/** Longer ones are no values of an SDK, and would take long to look through. */
const STORED_CHARACTERS = 20_000
/** What SDKs write beside the file itself. */
const ABOUT = /^_?metadata\.json$/

/** Weave's values of custom types: `{"_type": "CustomWeaveType", "weave_type": {"type": …}, "files": {name: digest}}`. */
function storedAt(text: string, at: number, end: number): StoredMedia | undefined {
  if (end - at > STORED_CHARACTERS) return undefined
  const json = text.slice(at, end)
  if (!json.includes('"CustomWeaveType"')) return undefined
  const value = JSON.parse(json) as Readonly<Record<string, unknown>>
  const claimed = memberOf(value['weave_type'], 'type')
  if (value['_type'] !== 'CustomWeaveType' || typeof claimed !== 'string' || claimed === 'Op')
    return undefined
  const files = Object.entries(value['files'] ?? {}).flatMap(([name, digest]) =>
    typeof digest === 'string' ? [{ name, digest }] : [],
  )
  const file = files.find(({ name }) => !ABOUT.test(name))
  if (file === undefined) return undefined
  return { kind: 'stored', claimed, file, about: files.find(({ name }) => name === 'metadata.json') }
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined
}

const FIRST_KEY =
  /^\{\s*"(?:type|source_type|id|data|media_type|mime_type|mimeType|mediaType|format|transcript)"/
const TYPE_KEYS: readonly string[] = ['media_type', 'mime_type', 'mimeType', 'mediaType']
const MOST_MEMBERS = 12
const BASE64 = /^[\w+/-]{16,}=*$/

/** As Anthropic, Gemini, OpenAI (sound) and LangChain write bytes: `data` with the type beside it. */
function base64At(text: string, at: number): InlineMedia | undefined {
  if (!FIRST_KEY.test(text.slice(at, at + 40))) return undefined
  let data: readonly [number, number] | undefined
  let claimed: string | undefined
  let members = 0
  eachChild(text, at, (keyAt, valueAt, end) => {
    if (kindAt(text, valueAt) === 'string') {
      const key = stringAt(text, keyAt)
      if (key === 'data') data = [valueAt, end]
      else if (key === 'transcript') claimed ??= 'audio'
      else if (TYPE_KEYS.includes(key)) claimed = stringAt(text, valueAt, end)
      else if (key === 'format') claimed = `audio/${stringAt(text, valueAt, end)}`
    }
    return ++members < MOST_MEMBERS
  })
  if (data === undefined || claimed === undefined) return undefined
  return base64Value(text, data[0], data[1], claimed)
}

/** A string as base64, if it begins like it. */
export function base64Value(text: string, at: number, end: number, claimed: string): InlineMedia | undefined {
  const begin = text.slice(at + 1, Math.min(end - 1, at + 65)).replaceAll(String.raw`\/`, '/')
  return BASE64.test(begin) ? { kind: 'inline', at, end, form: 'base64', claimed } : undefined
}
