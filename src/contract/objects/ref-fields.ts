import { z } from 'zod'
import { REF_PREFIX } from './ref.ts'

/**
 * Fields of requests that hold a ref. The patterns are published in the OpenAPI document, so they use only what all
 * regex engines read. Whether a referenced item exists is never checked: it may be stored later.
 */

/** A percent-encoded character: valid UTF-8 of one to four bytes, as decodeURIComponent reads it. */
const HEX = '[0-9A-Fa-f]'
const NEXT = `%[89ABab]${HEX}`
const ENCODED = [
  `%[0-7]${HEX}`,
  `%(?:[Cc][2-9A-Fa-f]|[Dd]${HEX})${NEXT}`,
  `%[Ee](?:0%[ABab]${HEX}|[Dd]%[89]${HEX}|[1-9A-Ca-cE-Fe-f]${NEXT})${NEXT}`,
  `%[Ff](?:0%[9ABab]${HEX}|[1-3]${NEXT}|4%8${HEX})${NEXT}${NEXT}`,
].join('|')

const NAMED = `[^/]+:[^/:]+(?:/(?:attr|key|index|id)/(?:[^/%]|${ENCODED})*)*`

/** What follows the project in a ref of each kind. Call ids are any text, so they may contain slashes. */
const KINDS = {
  object: `object/${NAMED}`,
  op: `op/${NAMED}`,
  call: String.raw`call/[\s\S]+`,
  /** Tables and files, and what Weave's agents view shows; SDKs attach feedback to them. */
  other: '(?:table|file|agent_turn|agent_conversation|agent_span)/[^/]+',
} as const

type RefKind = keyof typeof KINDS

/** For the error message, which names the kinds of the specification only. */
const SHAPES: Readonly<Record<RefKind, readonly string[]>> = {
  object: ['object/<name>:<digest>'],
  op: ['op/<name>:<digest>'],
  call: ['call/<call_id>'],
  other: [],
}

/** The pattern of a ref of one of these kinds. */
export function refPattern(...kinds: RefKind[]): string {
  return `^${REF_PREFIX}[^/]+/[^/]+/(?:${kinds.map((kind) => KINDS[kind]).join('|')})$`
}

/** A ref of one of these kinds. */
export function refTo(...kinds: RefKind[]) {
  const shapes = kinds.flatMap((kind) => SHAPES[kind]).join(' or ')
  return z
    .string()
    .regex(
      new RegExp(refPattern(...kinds)),
      `must be a ref of the form ${REF_PREFIX}<entity>/<project>/${shapes}`,
    )
}
