import type { Span } from './model.ts'
import type { Resolution } from './resolve.ts'
import { cutText } from './text.ts'

/** The op name of a call: low cardinality, so that calls can be grouped by it. */

const MAX_CHARACTERS = 128
const MAX_SEARCHED = 1000

export function opName(resolution: Resolution, kind: string, span: Span): string {
  return cutText(chosenName(resolution, kind) ?? (genericName(span.name) || 'span'), MAX_CHARACTERS)
}

function chosenName(resolution: Resolution, kind: string): string | undefined {
  const given = resolution.text('op_name')
  if (given !== undefined) return given
  const operation = resolution.text('attributes.gen_ai.operation_name')
  switch (kind) {
    case 'agent': {
      const agent = resolution.text('attributes.agent.name')
      return agent === undefined ? undefined : `${operation ?? 'invoke_agent'} ${agent}`
    }
    case 'workflow':
      return resolution.text('attributes.workflow')
    case 'tool':
      return resolution.text('attributes.tool.name')
    case 'llm':
    case 'embedding':
    case 'reranker': {
      const model = resolution.text('attributes.model_requested') ?? resolution.text('attributes.model')
      return operation === undefined || model === undefined ? undefined : `${operation} ${model}`
    }
    default:
      return undefined
  }
}

const ID = String.raw`(?:\d+|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|(?=[\da-f]*\d)[\da-f]{16,64})`
// Begins at the first of several spaces only, or the time would be quadratic in their number.
const WORD_THAT_IS_AN_ID = new RegExp(String.raw`(?<!\s)\s+#?${ID}(?=\s|$)`, 'gi')
// Frameworks put them behind the name of a class: `Crew_0860ced3-…`. Unlike numbers, they are never part of a name.
const UUID = /[_:.@-]?(?<![\da-f])[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}(?![\da-f])/gi
const STEP_THAT_IS_AN_ID = new RegExp(`/${ID}(?=[/?]|$)`, 'gi')

/** A span name without its ids and numbers: `step 3` is `step`, `GET /users/7` is `GET /users/{id}`. */
function genericName(name: string): string {
  if (name.length > MAX_SEARCHED) return name
  return name
    .replaceAll(WORD_THAT_IS_AN_ID, '')
    .replaceAll(STEP_THAT_IS_AN_ID, '/{id}')
    .replaceAll(UUID, '')
    .trim()
}
