import { z } from 'zod'
import { emptyAnswer, projectId } from '../fields.ts'
import { operation } from '../operation.ts'

/** Names that people give to versions of objects; what a tag or an alias may be is the service's to judge (400). */
const texts = z.array(z.string())

/** `latest`, `v3` and aliases mean a version here too, as everywhere. */
const ofVersion = { project_id: projectId, object_id: z.string(), digest: z.string() }

export const objectLabelsOperations = {
  obj_add_tags: operation({
    method: 'PUT',
    path: '/objs/{object_id}/versions/{digest}/tags',
    summary: 'Add tags to a version of an object.',
    access: 'write',
    request: z.object({ ...ofVersion, tags: texts }),
    response: emptyAnswer,
  }),
  obj_remove_tags: operation({
    path: '/objs/{object_id}/versions/{digest}/tags/remove',
    summary: 'Take tags off a version of an object; those it does not have are ignored.',
    access: 'write',
    request: z.object({ ...ofVersion, tags: texts }),
    response: emptyAnswer,
  }),
  obj_set_aliases: operation({
    method: 'PUT',
    path: '/objs/{object_id}/aliases',
    summary: 'Let aliases of an object point at one of its versions, wherever they pointed before.',
    access: 'write',
    request: z.object({ ...ofVersion, aliases: texts }),
    response: emptyAnswer,
  }),
  obj_remove_aliases: operation({
    path: '/objs/{object_id}/aliases/remove',
    summary: 'Remove aliases of an object; those it does not have are ignored.',
    access: 'write',
    request: z.object({ project_id: projectId, object_id: z.string(), aliases: texts }),
    response: emptyAnswer,
  }),
  tags_list: operation({
    method: 'GET',
    path: '/tags',
    summary: 'List the tags that versions of objects have in a project.',
    access: 'read',
    request: z.object({ project_id: projectId }),
    response: z.object({ tags: texts }),
  }),
  aliases_list: operation({
    method: 'GET',
    path: '/aliases',
    summary: 'List the aliases that objects have in a project, `latest` among them.',
    access: 'read',
    request: z.object({ project_id: projectId }),
    response: z.object({ aliases: texts }),
  }),
}
