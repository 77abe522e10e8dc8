import { z } from 'zod'
import { operation } from '../operation.ts'
import { ApiError } from '../api-error.ts'
import { rawJson } from '../raw-json.ts'
import { refPattern } from './ref-fields.ts'
import { parseRef, type Ref } from './ref.ts'

/** Throws `invalid_request` for text that is not a ref. */
export function requireRef(text: string): Ref {
  const ref = parseRef(text)
  if (ref !== undefined) return ref
  const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text
  throw new ApiError(
    'invalid_request',
    `not a ref: ${shown}; expected weave:///<entity>/<project>/object/<name>:<digest>[/attr/<name>…]`,
  )
}

export const refsOperations = {
  refs_read_batch: operation({
    path: '/refs/read_batch',
    summary: 'Read the values that object and op refs point at, in request order.',
    access: 'read',
    errors: ['not_found'],
    request: z.object({ refs: z.array(z.string().meta({ pattern: refPattern('object', 'op') })) }),
    response: z.object({ vals: z.array(rawJson) }),
    projects: (request) => request.refs.map((ref) => requireRef(ref).project_id),
  }),
}
