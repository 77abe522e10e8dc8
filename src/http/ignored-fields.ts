import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import { IGNORED_FIELDS_HEADER } from '../contract/unknown-keys.ts'
import type { RequestContext } from './request-context.ts'

/** The header that names the fields of a request that had no effect. */

/** Clients and proxies limit headers, to 8 KiB in all at the least. */
const MAX_HEADER_CHARACTERS = 1_000

export function nameIgnoredFields(
  context: RequestContext,
  reply: FastifyReply,
  fields: readonly string[],
): void {
  context.ignoredFields = fields.length
  let value = ''
  for (const field of fields) {
    const name = headerText(field)
    if (value.length + name.length + SEPARATOR.length > MAX_HEADER_CHARACTERS) {
      value += `${SEPARATOR}...`
      break
    }
    value += (value === '' ? '' : SEPARATOR) + name
  }
  reply.header(IGNORED_FIELDS_HEADER, value)
}

const SEPARATOR = ', '

/** Names come from the client: anything that could end the header or look like another name is replaced. */
function headerText(field: string): string {
  return field.replaceAll(/[^\w.$*[\]-]/g, '?')
}

/** The number of fields in the header of a response of the thread for large requests. */
export function countIgnoredFields(headers: IncomingHttpHeaders): number {
  const value = headers[IGNORED_FIELDS_HEADER.toLowerCase()]
  return typeof value === 'string' ? value.split(SEPARATOR).length : 0
}
