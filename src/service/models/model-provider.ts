import type { ObjectVersion } from '../../contract/objects/objects.ts'
import type { RawJson } from '../../contract/raw-json.ts'
import type { CompletionInputs } from '../../core/models/completion-request.ts'
import { entries, find, numberValue, stringMember, stringValue } from '../../core/json/navigate.ts'
import type { Caller, Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { BUILT_IN, type BuiltInProvider } from './built-in-providers.ts'
import { configurationError } from './model-connection.ts'
import { readSecret } from './secrets.ts'

/** Finds where a model is: by a provider of the project, or by a built-in one with a key of the project or of the server. */

export interface ModelTarget {
  readonly baseUrl: string
  /** What the provider calls the model; costs are counted under this name. */
  readonly model: string
  readonly headers: Readonly<Record<string, string>>
  /** The key in the headers. */
  readonly secret: string | undefined
  /** The key of the request that limits the length of the response. */
  readonly limitKey: 'max_tokens' | 'max_completion_tokens'
  /** The longest response, as the project says; undefined: unknown. */
  readonly maxTokens: number | undefined
}

type ReadObject = Pick<Handlers, 'obj_read'>

export class ModelProviders {
  readonly #deps: Deps
  readonly #objects: ReadObject

  constructor(deps: Deps, objects: ReadObject) {
    this.#deps = deps
    this.#objects = objects
  }

  async find(project_id: string, inputs: CompletionInputs, caller: Caller): Promise<ModelTarget> {
    const name = inputs.text('model') ?? ''
    const [, provider, model] = /^custom::(.+?)::(.+)$/s.exec(name) ?? []
    const target =
      provider === undefined || model === undefined
        ? await this.#builtIn(project_id, name)
        : await this.#custom(project_id, provider, model, caller)
    return { ...target, headers: { ...extraHeaders(inputs), ...target.headers } }
  }

  async #builtIn(project_id: string, name: string): Promise<ModelTarget> {
    const [prefix = '', ...rest] = name.replace(/^google\//, 'gemini/').split('/')
    const isPrefixed = Object.hasOwn(BUILT_IN, prefix) && rest.length > 0
    const model = isPrefixed ? rest.join('/') : name
    const provider = isPrefixed
      ? (prefix as BuiltInProvider)
      : (Object.keys(BUILT_IN) as BuiltInProvider[]).find((each) => BUILT_IN[each].models.test(name))
    if (provider === undefined)
      throw configurationError(
        `"${name}" is no model of a known provider; use ${Object.keys(BUILT_IN).join('/…, ')}/… or custom::<provider>::<model>`,
      )
    const { secret, limitKey } = BUILT_IN[provider]
    const { baseUrl, apiKey } = this.#deps.modelDefaults[provider]
    const key = (await readSecret(this.#deps, project_id, secret, new URL(baseUrl).origin)) ?? apiKey
    if (key === undefined)
      throw configurationError(
        `${provider} is not configured: set the secret ${secret} of the project for ${new URL(baseUrl).origin}`,
      )
    return { baseUrl, model, headers: bearer(key), secret: key, limitKey, maxTokens: undefined }
  }

  async #custom(project_id: string, name: string, id: string, caller: Caller): Promise<ModelTarget> {
    const provider_id = objectName(name)
    const modelObject = await this.#read(project_id, `${provider_id}-${objectName(id)}`, 'latest', caller)
    const digest = stringMember(modelObject.val, 'provider') ?? ''
    const { val } = await this.#read(project_id, provider_id, digest, caller)
    const baseUrl = stringMember(val, 'base_url') ?? ''
    if (!URL.canParse(baseUrl)) throw configurationError(`the provider ${name} has no valid base_url`)
    const secret = stringMember(val, 'api_key_name') ?? ''
    const { origin } = new URL(baseUrl)
    const key = secret === '' ? undefined : await readSecret(this.#deps, project_id, secret, origin)
    if (secret !== '' && key === undefined) throw configurationError(`the project has no secret ${secret}`)
    const headers = { ...readHeaders(find(val, 'extra_headers')), ...(key === undefined ? {} : bearer(key)) }
    const limit = find(modelObject.val, 'max_tokens')
    return {
      baseUrl,
      model: stringMember(modelObject.val, 'name') ?? id,
      headers,
      secret: key,
      limitKey: 'max_tokens',
      maxTokens: limit && numberValue(limit),
    }
  }

  async #read(project_id: string, object_id: string, digest: string, caller: Caller): Promise<ObjectVersion> {
    try {
      return (await this.#objects.obj_read({ project_id, object_id, digest }, caller)).obj
    } catch (error) {
      throw configurationError(error instanceof Error ? error.message : String(error))
    }
  }
}

/** As Weave names the objects of providers and their models. */
export function objectName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, '_')
}

function bearer(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}` }
}

/** These belong to the connection, to the credentials of Heddle, or open metadata services of clouds. */
const REFUSED_HEADER =
  /^(?:host|connection|content-length|content-type|transfer-encoding|te|trailer|upgrade|expect|keep-alive|accept-encoding|cookie|proxy-.*|metadata-flavor|x-aws-ec2-metadata-token.*|x-google-metadata.*)$/
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]{1,128}$/
const HEADER_VALUE = /^[\t\x20-\x7e]{0,8192}$/
const MAX_HEADERS = 32

function extraHeaders(inputs: CompletionInputs): Record<string, string> {
  const { authorization: _, ...headers } = readHeaders(inputs.get('extra_headers'))
  return headers
}

/** Header names in lower case. Throws `ModelError` for headers that are not sent. */
export function readHeaders(headers: RawJson | undefined): Record<string, string> {
  const found: Record<string, string> = {}
  const given = headers === undefined ? [] : entries(headers)
  if (given.length > MAX_HEADERS) throw configurationError(`at most ${MAX_HEADERS} headers are sent`)
  for (const [name, raw] of given) {
    const lower = name.toLowerCase()
    const value = stringValue(raw)
    if (
      !HEADER_NAME.test(lower) ||
      REFUSED_HEADER.test(lower) ||
      value === undefined ||
      !HEADER_VALUE.test(value)
    )
      throw configurationError(`the header ${JSON.stringify(name)} is not allowed`)
    found[lower] = value
  }
  return found
}
