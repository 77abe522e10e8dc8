import { unprocessable } from '../../contract/api-error.ts'
import {
  DEFAULT_ATTRIBUTES,
  MAX_ATTRIBUTES,
  MAX_ATTRIBUTE_SPANS,
} from '../../contract/agents/span-attributes.ts'
import { AttributeCounts } from '../../core/agents/attribute-counts.ts'
import { TimeSlice } from '../../core/concurrency/time-slice.ts'
import { streamSpanAttributes } from '../../store/agents/spans.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { spanSelection } from './spans.ts'

/** Handler for the custom attributes of spans. */
export function agentAttributesHandlers({ db }: Deps): Pick<Handlers, 'agent_custom_attrs_schema'> {
  return {
    agent_custom_attrs_schema: async (request) => {
      const limit = request.limit ?? DEFAULT_ATTRIBUTES
      const offset = request.offset ?? 0
      const counts = new AttributeCounts()
      const slice = new TimeSlice()
      for await (const { attributes } of streamSpanAttributes(
        db,
        spanSelection(request),
        MAX_ATTRIBUTE_SPANS,
      )) {
        counts.add(attributes ?? '')
        if (counts.size > MAX_ATTRIBUTES) {
          const reason = `the spans have more than ${MAX_ATTRIBUTES} attributes; select fewer spans`
          throw unprocessable(['query'], reason)
        }
        if (slice.isOver) await slice.next()
      }
      const attributes = counts.list().slice(offset, offset + limit)
      return { attributes, limit, offset, has_more: offset + limit < counts.size }
    },
  }
}
