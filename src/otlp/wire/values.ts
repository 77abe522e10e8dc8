import { ApiError } from '../../contract/api-error.ts'
import { MAX_ITEMS } from '../../contract/limits.ts'
import type { Attributes, Resource, Scope } from '../model.ts'

/** What both encodings share. */

/** Lists and maps of an attribute value may be nested this deep. */
export const MAX_VALUE_DEPTH = 100

/** Stands for a value that is nested deeper. */
export const TOO_DEEP = `(nested deeper than ${MAX_VALUE_DEPTH} levels)`

export const NO_ATTRIBUTES: Attributes = new Map()
export const NO_RESOURCE: Resource = { attributes: NO_ATTRIBUTES, schemaUrl: '' }
export const NO_SCOPE: Scope = { name: '', version: '', attributes: NO_ATTRIBUTES, schemaUrl: '' }

/** Exporters before `event_name` (2025) name an event by this attribute. */
export const EVENT_NAME_ATTRIBUTE = 'event.name'

/** As many as a batch of calls may have. */
export function requireItems(count: number): void {
  if (count > MAX_ITEMS)
    throw new ApiError(
      'too_large',
      `the export has more than ${MAX_ITEMS} spans or log records; set a smaller batch size in your exporter`,
    )
}
