import { ApiError } from '../../contract/api-error.ts'
import { MAX_REFS } from '../../contract/limits.ts'
import type { ObjectRef } from '../../contract/objects/ref.ts'
import { requireRef } from '../../contract/objects/refs.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { currentRequest } from '../../core/concurrency/request-scope.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { resolveAll } from './ref-resolution.ts'

const NULL = RawJson.fromText('null')

/** Handler that resolves a batch of refs to values. */
export function refsHandlers(deps: Deps): Pick<Handlers, 'refs_read_batch'> {
  return {
    refs_read_batch: async ({ refs }) => {
      if (refs.length > MAX_REFS)
        throw new ApiError(
          'invalid_request',
          `at most ${MAX_REFS} refs can be read per request; split the list`,
        )
      const resolutions = await resolveAll(deps, refs.map(readContentRef), 'fail')
      const vals = resolutions.map((resolution) => resolution.value ?? NULL)
      // Many refs may lead to one object, which was read once.
      currentRequest()?.resultLimit?.count(vals.reduce((bytes, val) => bytes + val.size, 0))
      return { vals }
    },
  }
}

/** Parses a ref that a batch can read: an object or op version, whose content cannot change. */
function readContentRef(text: string): ObjectRef {
  const ref = requireRef(text)
  if (ref.kind !== 'object' && ref.kind !== 'op') {
    throw new ApiError(
      'invalid_request',
      `${text} is a ${ref.kind} ref; only object and op refs can be read in a batch`,
    )
  }
  if (ref.digest === 'latest') {
    throw new ApiError(
      'invalid_request',
      `${text} must contain a digest; use obj/read for the latest version`,
    )
  }
  return ref
}
