import { z } from 'zod'
import { emptyResponse, projectId } from '../fields.ts'
import { MAX_ALIAS_CHARACTERS, MAX_TAG_CHARACTERS } from '../limits.ts'
import { operation } from '../operation.ts'

/**
 * Tags and aliases of object versions. The service validates their syntax, so an invalid one is a 400, not a 422. The
 * published patterns are the closest that all regex engines read.
 */
const texts = z.array(z.string())
const newTags = z.array(
  z.string().meta({ pattern: String.raw`^[\w-]+(?: [\w-]+)*$`, maxLength: MAX_TAG_CHARACTERS }),
)
const newAliases = z.array(
  z.string().meta({
    description: '`latest` and `v<number>` are reserved.',
    pattern: String.raw`^(?!latest$|v[0-9]+$)[^/:]*[^/:\s][^/:]*$`,
    maxLength: MAX_ALIAS_CHARACTERS,
  }),
)

/** `digest` also accepts `latest`, `v<number>` and aliases. */
const versionFields = { project_id: projectId, object_id: z.string(), digest: z.string() }

export const objectLabelsOperations = {
  obj_add_tags: operation({
    method: 'PUT',
    path: '/objs/{object_id}/versions/{digest}/tags',
    summary: 'Add tags to a version of an object.',
    access: 'write',
    errors: ['not_found'],
    request: z.object({ ...versionFields, tags: newTags }),
    response: emptyResponse,
  }),
  obj_remove_tags: operation({
    path: '/objs/{object_id}/versions/{digest}/tags/remove',
    summary: 'Remove tags from a version of an object. Missing tags are ignored.',
    access: 'write',
    deletes: true,
    errors: ['not_found'],
    request: z.object({ ...versionFields, tags: texts }),
    response: emptyResponse,
  }),
  obj_set_aliases: operation({
    method: 'PUT',
    path: '/objs/{object_id}/aliases',
    summary: 'Point aliases of an object at one of its versions. Existing aliases are moved.',
    access: 'write',
    errors: ['not_found'],
    request: z.object({ ...versionFields, aliases: newAliases }),
    response: emptyResponse,
  }),
  obj_remove_aliases: operation({
    path: '/objs/{object_id}/aliases/remove',
    summary: 'Remove aliases of an object. Missing aliases are ignored.',
    access: 'write',
    deletes: true,
    errors: ['not_found'],
    request: z.object({ project_id: projectId, object_id: z.string(), aliases: newAliases }),
    response: emptyResponse,
  }),
  tags_list: operation({
    method: 'GET',
    path: '/tags',
    summary: 'List the tags in use in a project.',
    access: 'read',
    request: z.object({ project_id: projectId }),
    response: z.object({ tags: texts }),
  }),
  aliases_list: operation({
    method: 'GET',
    path: '/aliases',
    summary: 'List the aliases in use in a project, including `latest`.',
    access: 'read',
    request: z.object({ project_id: projectId }),
    response: z.object({ aliases: texts }),
  }),
}
