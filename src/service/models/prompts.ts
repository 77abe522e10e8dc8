import { parseRef } from '../../contract/objects/ref.ts'
import type { RawJson } from '../../contract/raw-json.ts'
import type { CompletionInputs } from '../../core/models/completion-request.ts'
import { fillMessages } from '../../core/models/template.ts'
import { isObject } from '../../core/json/is-object.ts'
import { find, items } from '../../core/json/navigate.ts'
import type { Caller } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { configurationError } from './model-connection.ts'

/** The messages of a request: those of the prompt that it names, then its own, with variables filled in. */
export async function requestMessages(
  objects: Pick<Handlers, 'obj_read'>,
  project_id: string,
  inputs: CompletionInputs,
  caller: Caller,
): Promise<RawJson | undefined> {
  const prompt = inputs.text('prompt')
  const variables: unknown = JSON.parse(inputs.get('template_vars')?.text ?? 'null')
  if (prompt === undefined && !isObject(variables)) return undefined
  const own = inputs.get('messages')
  const before = prompt === undefined ? [] : await promptMessages(objects, project_id, prompt, caller)
  const all = [...before, ...(own === undefined ? [] : items(own))]
  return fillMessages(
    all.map((each) => JSON.parse(each.text) as unknown),
    isObject(variables) ? variables : {},
  )
}

/** A text prompt has no messages. */
async function promptMessages(
  objects: Pick<Handlers, 'obj_read'>,
  project_id: string,
  prompt: string,
  caller: Caller,
): Promise<RawJson[]> {
  const { object_id, digest } = promptVersion(project_id, prompt)
  try {
    const { obj } = await objects.obj_read({ project_id, object_id, digest }, caller)
    const messages = find(obj.val, 'messages')
    return messages === undefined ? [] : items(messages)
  } catch (error) {
    throw configurationError(error instanceof Error ? error.message : String(error))
  }
}

function promptVersion(project_id: string, prompt: string): { object_id: string; digest: string } {
  if (!prompt.startsWith('weave:///')) {
    const [object_id = '', digest = 'latest'] = prompt.split(':')
    return { object_id, digest }
  }
  const ref = parseRef(prompt)
  if (ref?.kind !== 'object' || ref.project_id !== project_id)
    throw configurationError('the prompt must be an object of the same project')
  return { object_id: ref.name, digest: ref.digest }
}
