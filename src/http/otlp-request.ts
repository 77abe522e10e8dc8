import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '../contract/api-error.ts'
import { OTLP_JSON, OTLP_PROTOBUF } from '../contract/otlp.ts'
import { PROJECT_HEADER } from '../contract/project-header.ts'

/** The headers of OTLP/HTTP requests. */

/** The media type of the body. Throws `unsupported_media_type` unless it is one of OTLP. */
export function otlpContentType({ 'content-type': header }: IncomingHttpHeaders): string {
  const type = mediaType(header)
  if (type === OTLP_PROTOBUF || type === OTLP_JSON) return type
  throw new ApiError(
    'unsupported_media_type',
    `the Content-Type must be ${OTLP_PROTOBUF} or ${OTLP_JSON}; set the protocol of your exporter to http/protobuf or http/json`,
  )
}

export function isOtlpProtobuf({ 'content-type': header }: IncomingHttpHeaders): boolean {
  return mediaType(header) === OTLP_PROTOBUF
}

/** Some exporters leave out the `x-`. */
function mediaType(header = ''): string {
  const type = header.split(';', 1)[0]!.trim().toLowerCase()
  return type === 'application/protobuf' ? OTLP_PROTOBUF : type
}

/**
 * The project named by a header. Weave documents `project_id`, which proxies such as nginx drop by default, like all
 * names with underscores. Both may be percent-encoded: SDKs decode what is in their variables, collectors send it as it is.
 */
export function projectHeader(headers: IncomingHttpHeaders): string | undefined {
  for (const header of [headers[PROJECT_HEADER], headers['project_id']])
    if (typeof header === 'string' && header.trim() !== '') return percentDecoded(header)
  return projectUsername(headers.authorization)
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A name may have a percent sign.
    return text
  }
}

/** SDKs with keys for each project, such as Langfuse's, can name it as their public key: the username is not used otherwise. */
function projectUsername(authorization: string | undefined): string | undefined {
  const credentials = /^basic +(\S+)$/i.exec(authorization ?? '')?.[1]
  if (credentials === undefined) return undefined
  const [username = ''] = Buffer.from(credentials, 'base64').toString().split(':', 1)
  return /^[^/]+\/[^/]+$/.test(username) ? username : undefined
}
