import { RawJson } from '../../contract/raw-json.ts'
import { isObject } from '../json/is-object.ts'
import {
  encodePath,
  type JsonField,
  SUBTREE_NOT_EXTRACTED,
  VALUE_NOT_EXTRACTED,
} from '../json/json-fields.ts'
import { find } from '../json/navigate.ts'

/**
 * Values of a call that have a column of their own, found in its documents under the names that SDKs and OpenTelemetry
 * use.
 */
export interface NamedValues {
  readonly provider: string
  readonly end_user: string
  readonly session: string
  readonly environment: string
  /** Milliseconds. */
  readonly time_to_first_token: number | null
  readonly tags: readonly string[]
  readonly error_type: string
}

export interface NamedValuesSource {
  readonly thread_id: string
  readonly op_name: string
  /** Undefined if the call did not fail. */
  readonly exception: Buffer | undefined
  readonly attributes: Buffer
  readonly summary: Buffer | undefined
  /** The extracted fields of the attributes and of the summary: the root, and those with `NamedFields.paths`. */
  readonly attributeFields: readonly JsonField[]
  readonly summaryFields: readonly JsonField[]
}

type TextName = 'provider' | 'end_user' | 'session' | 'environment' | 'error_type'
type Path = readonly string[]

/** Attributes that hold the user of the application. The setting `HEDDLE_END_USER_ATTRIBUTES` replaces them. */
const END_USER_ATTRIBUTES: readonly Path[] = [
  ['user_id'],
  ['end_user_id'],
  ['end_user'],
  ['user', 'id'],
  ['user.id'],
  ['enduser', 'id'],
  ['enduser.id'],
  ['userId'],
  ['user'],
]

/** The first attribute with a value counts. */
const TEXT_ATTRIBUTES: Readonly<Record<TextName, readonly Path[]>> = {
  end_user: END_USER_ATTRIBUTES,
  session: [
    ['session_id'],
    ['session', 'id'],
    ['session.id'],
    ['sessionId'],
    ['conversation_id'],
    ['gen_ai', 'conversation', 'id'],
    ['gen_ai.conversation.id'],
    ['thread_id'],
    ['session'],
  ],
  environment: [
    ['environment'],
    ['env'],
    ['deployment', 'environment', 'name'],
    ['deployment.environment.name'],
    ['deployment', 'environment'],
    ['deployment.environment'],
  ],
  provider: [
    ['provider'],
    ['gen_ai', 'provider', 'name'],
    ['gen_ai.provider.name'],
    ['gen_ai', 'system'],
    ['gen_ai.system'],
  ],
  error_type: [['error', 'type'], ['error.type']],
}

const TEXT_NAMES = Object.keys(TEXT_ATTRIBUTES) as TextName[]

/** Members of summary and attributes with the time to the first token, and their unit in milliseconds. */
const FIRST_TOKEN_TIMES: readonly (readonly [name: string, milliseconds: number])[] = [
  ['ttft_ms', 1],
  ['time_to_first_token_ms', 1],
  ['time_to_first_token', 1000],
]

const TAGS = 'attributes.tags'

/** Longer texts are not values of these fields. */
const MAX_TEXT_BYTES = 200

interface PathRank {
  readonly name: number
  readonly rank: number
}

function indexPaths(
  paths: Readonly<Record<TextName, readonly Path[]>>,
): ReadonlyMap<string, readonly PathRank[]> {
  const index = new Map<string, PathRank[]>()
  TEXT_NAMES.forEach((textName, name) =>
    paths[textName].forEach((path, rank) => {
      const key = encodePath(['attributes', ...path])
      index.set(key, [...(index.get(key) ?? []), { name, rank }])
    }),
  )
  return index
}

const NO_TAGS: readonly string[] = []

const NO_TEXTS: ReadonlyMap<TextName, string> = new Map()

/** Finds the named values of calls, with the attributes that hold the end user. */
export class NamedFields {
  /** The paths of all fields that `values` reads. */
  readonly paths: ReadonlySet<string>
  readonly #textAttributes: Readonly<Record<TextName, readonly Path[]>>
  /** Where the extracted fields with these paths belong: which value, and the rank among its paths. */
  readonly #textPaths: ReadonlyMap<string, readonly PathRank[]>

  /**
   * @param endUserAttributes paths separated by commas, `user.id` for the member of an object or for a key with a dot.
   * Undefined for the usual ones.
   */
  constructor(endUserAttributes?: string) {
    this.#textAttributes = {
      ...TEXT_ATTRIBUTES,
      end_user: parsePaths(endUserAttributes) ?? END_USER_ATTRIBUTES,
    }
    this.#textPaths = indexPaths(this.#textAttributes)
    const times = FIRST_TOKEN_TIMES.flatMap(([name]) => [`summary.${name}`, `attributes.${name}`])
    this.paths = new Set([...this.#textPaths.keys(), ...times, TAGS])
  }

  values(source: NamedValuesSource): NamedValues {
    const texts = this.#readTexts(source)
    const [provider = '', end_user = '', session = '', environment = '', error_type = ''] = [
      texts.get('provider'),
      texts.get('end_user'),
      texts.get('session'),
      texts.get('environment'),
      texts.get('error_type'),
    ]
    return {
      provider: provider === '' ? providerOfOp(source.op_name) : provider.toLowerCase(),
      end_user,
      session: source.thread_id === '' ? session : source.thread_id,
      environment,
      time_to_first_token: firstTokenTime(source),
      tags: readTags(source),
      error_type: source.exception === undefined ? '' : errorType(source.exception, error_type),
    }
  }

  #readTexts({ attributes, attributeFields }: NamedValuesSource): ReadonlyMap<TextName, string> {
    if (isNotExtracted(attributeFields)) return this.#textsInDocument(attributes)
    let texts: Map<TextName, string> | undefined
    let ranks: number[] | undefined
    for (const { path, value } of attributeFields) {
      const found = this.#textPaths.get(path)
      if (found === undefined || value.length < 2 || !value.startsWith('=')) continue
      texts ??= new Map()
      ranks ??= []
      for (const { name, rank } of found) {
        if (rank >= (ranks[name] ?? Infinity)) continue
        ranks[name] = rank
        texts.set(TEXT_NAMES[name]!, value.slice(1))
      }
    }
    return texts ?? NO_TEXTS
  }

  #textsInDocument(document: Buffer): ReadonlyMap<TextName, string> {
    const root = parsed(document)
    return new Map(
      TEXT_NAMES.map((name) => [
        name,
        this.#textAttributes[name].map((path) => scalarAt(root, path)).find((text) => text !== '') ?? '',
      ]),
    )
  }
}

function parsePaths(attributes: string | undefined): Path[] | undefined {
  return attributes?.split(',').flatMap((path): Path[] => {
    const key = path.trim()
    return key === '' ? [] : key.includes('.') ? [key.split('.'), [key]] : [[key]]
  })
}

/** Whether the document has too many fields, or is only readable in another form. */
function isNotExtracted([root]: readonly JsonField[]): boolean {
  return root?.value === SUBTREE_NOT_EXTRACTED
}

function parsed(document: Buffer): unknown {
  return JSON.parse(document.toString()) as unknown
}

function scalarAt(root: unknown, path: Path): string {
  const value = path.reduce<unknown>(
    (node, key) => (isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined),
    root,
  )
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  const text = isScalar ? String(value) : ''
  return Buffer.byteLength(text) > MAX_TEXT_BYTES ? '' : text
}

/** Ops of the SDKs' integrations begin with the name of the provider's library. */
const PROVIDER_OP =
  /(?:^|\/op\/)(openai|anthropic|mistralai|groq|cohere|cerebras|google|vertexai|bedrock|huggingface_hub|together|nvidia|litellm)[.]/

function providerOfOp(op_name: string): string {
  return PROVIDER_OP.exec(op_name)?.[1] ?? ''
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

function firstTokenTime(source: NamedValuesSource): number | null {
  return (
    firstTokenTimeIn('summary', source.summaryFields, source.summary) ??
    firstTokenTimeIn('attributes', source.attributeFields, source.attributes)
  )
}

function firstTokenTimeIn(
  root: string,
  fields: readonly JsonField[],
  document: Buffer | undefined,
): number | null {
  if (document === undefined || (fields.length < 2 && !isNotExtracted(fields))) return null
  for (const [name, milliseconds] of FIRST_TOKEN_TIMES) {
    const value = isNotExtracted(fields) ? VALUE_NOT_EXTRACTED : valueAt(fields, `${root}.${name}`)
    const text =
      value === VALUE_NOT_EXTRACTED
        ? find(RawJson.fromBytes(document), name)?.text.replace(/^"(.*)"$/, '$1')
        : value?.slice(1)
    if (text !== undefined && NUMBER.test(text)) return Number(text) * milliseconds
  }
  return null
}

function valueAt(fields: readonly JsonField[], path: string): string | undefined {
  for (const field of fields) if (field.path === path) return field.value
  return undefined
}

function readTags({ attributes, attributeFields }: NamedValuesSource): readonly string[] {
  if (!isNotExtracted(attributeFields) && valueAt(attributeFields, TAGS) === undefined) return NO_TAGS
  const root = parsed(attributes)
  const tags = isObject(root) ? root['tags'] : undefined
  const texts = (Array.isArray(tags) ? tags : [tags]).filter((tag): tag is string => typeof tag === 'string')
  return [...new Set(texts.filter((tag) => tag !== ''))]
}

const OPEN_BRACE = 0x7b
const MODULE = '(?:[A-Za-z_$][A-Za-z0-9_$]*[.])*'
const TYPE = '[A-Z][A-Za-z0-9_$]*'
const SUFFIX = '(?:Error|Exception|Warning|Exit|Interrupt|Iteration|Group|Failure|Fault|Timeout)'
const LAST_ERROR = new RegExp(`^${MODULE}(${TYPE}${SUFFIX})(?::|[ \\t\\r]*$)`, 'gm')
const LAST_LINE = new RegExp(`^${MODULE}(${TYPE})(?::|[ \\t\\r]*$)`, 'gm')
const FIRST_LINE = new RegExp(`^${MODULE}(${TYPE})(?::|[ \\t\\r]*(?:\\n|$))`)

/**
 * The type of an exception: as SDKs send it in JSON, as OpenTelemetry states it, from the end of a Python traceback, or
 * from the first line. Without its module: SDKs send `RateLimitError` where a traceback has `openai.RateLimitError`.
 */
function errorType(exception: Buffer, stated: string): string {
  const type =
    typeInJson(exception) ||
    stated ||
    typeInTraceback(exception) ||
    FIRST_LINE.exec(exception.toString('utf8', 0, 1000))?.[1] ||
    ''
  return type.slice(type.lastIndexOf('.') + 1).slice(0, MAX_TEXT_BYTES)
}

function typeInJson(exception: Buffer): string {
  if (exception[0] !== OPEN_BRACE) return ''
  try {
    const { type } = JSON.parse(exception.toString()) as { type?: unknown }
    return typeof type === 'string' ? type : ''
  } catch {
    return ''
  }
}

const TRACEBACK = Buffer.from('Traceback')
const TRACEBACK_END_BYTES = 20_000

function typeInTraceback(exception: Buffer): string {
  if (!exception.subarray(0, TRACEBACK.length).equals(TRACEBACK)) return ''
  const end = exception.toString('utf8', Math.max(0, exception.length - TRACEBACK_END_BYTES))
  const last = (pattern: RegExp): string => [...end.matchAll(pattern)].at(-1)?.[1] ?? ''
  return last(LAST_ERROR) || last(LAST_LINE)
}
