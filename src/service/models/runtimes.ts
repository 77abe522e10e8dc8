import { ApiError, unprocessable } from '../../contract/api-error.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { stringMember } from '../../core/json/navigate.ts'
import type { Caller } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { ModelError } from './model-connection.ts'
import { objectName, readHeaders } from './model-provider.ts'

/** Handler that publishes a provider and its models as Weave's objects `Provider` and `ProviderModel`. */

type ObjectHandlers = Pick<Handlers, 'obj_create' | 'obj_delete' | 'objs_query'>

const DEFAULT_MAX_TOKENS = 4_096

export function runtimesHandlers(objects: ObjectHandlers): Pick<Handlers, 'runtime_apply'> {
  return {
    runtime_apply: async (request, caller) => {
      const { project_id, runtime_name: name, base_url, runtime_ids } = request
      const headers = request.headers ?? {}
      const api_key_secret = request.api_key_secret ?? null
      checkUrl(base_url)
      checkHeaders(headers)
      const object_id = objectName(name)
      const models = new Map(runtime_ids.map((model) => [`${object_id}-${objectName(model.id)}`, model]))
      if (models.size < runtime_ids.length)
        throw unprocessable(['runtime_ids'], 'must differ in their letters, digits, - and _')
      const publish = async (id: string, className: string, fields: object): Promise<string> => {
        const val = RawJson.fromValue({
          _type: className,
          ...fields,
          _class_name: className,
          _bases: ['BaseObject', 'BaseModel'],
        })
        return (await objects.obj_create({ obj: { project_id, object_id: id, val } }, caller)).digest
      }
      const provider = await publish(object_id, 'Provider', {
        name,
        description: null,
        base_url,
        api_key_name: api_key_secret ?? '',
        extra_headers: headers,
        return_type: 'openai',
      })
      for (const [id, { id: model, max_tokens }] of models)
        await publish(id, 'ProviderModel', {
          name: model,
          description: null,
          provider,
          max_tokens: max_tokens ?? DEFAULT_MAX_TOKENS,
        })
      await deleteOthers(objects, project_id, object_id, new Set(models.keys()), caller)
      return {
        name,
        base_url,
        api_key_secret,
        headers,
        runtime_ids: runtime_ids.map(({ id, max_tokens }) => ({
          id,
          max_tokens: max_tokens ?? DEFAULT_MAX_TOKENS,
          playground_id: `custom::${name}::${id}`,
        })),
      }
    },
  }
}

/** Deletes the models of all versions of the provider that are not in the list. */
async function deleteOthers(
  objects: ObjectHandlers,
  project_id: string,
  provider: string,
  kept: ReadonlySet<string>,
  caller: Caller,
): Promise<void> {
  const [versions, models] = await Promise.all([
    objects.objs_query({ project_id, filter: { object_ids: [provider] }, metadata_only: true }, caller),
    objects.objs_query(
      { project_id, filter: { base_object_classes: ['ProviderModel'], latest_only: true } },
      caller,
    ),
  ])
  const digests = new Set(versions.objs.map(({ digest }) => digest))
  for (const { object_id, val } of models.objs)
    if (!kept.has(object_id) && digests.has(stringMember(val, 'provider') ?? ''))
      await objects.obj_delete({ project_id, object_id }, caller).catch(unlessNotFound)
}

/** Another request has deleted it. */
function unlessNotFound(error: unknown): void {
  if (!(error instanceof ApiError) || error.code !== 'not_found') throw error
}

/** The address is checked when a connection is opened: what a name resolves to may change. */
function checkUrl(url: string): void {
  if (/^https?:\/\/[^?#]+$/.test(url) && URL.canParse(url) && new URL(url).username === '') return
  throw unprocessable(['base_url'], 'must be an http or https URL without credentials, query and fragment')
}

function checkHeaders(headers: Readonly<Record<string, string>>): void {
  try {
    readHeaders(RawJson.fromValue(headers))
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    throw unprocessable(['headers'], error.message)
  }
}
