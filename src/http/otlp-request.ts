import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '../contract/api-error.ts'
import { OTLP_JSON, OTLP_PROTOBUF } from '../contract/otlp.ts'

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

/** The project named by a header. Proxies such as nginx drop names with underscores, so there is a second spelling. */
export function projectHeader(headers: IncomingHttpHeaders): string | undefined {
  const header = headers['project_id'] ?? headers['project-id']
  return typeof header === 'string' ? header : projectUsername(headers.authorization)
}

/** SDKs with keys for each project, such as Langfuse's, can name it as their public key: the username is not used otherwise. */
function projectUsername(authorization: string | undefined): string | undefined {
  const credentials = /^basic +(\S+)$/i.exec(authorization ?? '')?.[1]
  if (credentials === undefined) return undefined
  const [username = ''] = Buffer.from(credentials, 'base64').toString().split(':', 1)
  return /^[^/]+\/[^/]+$/.test(username) ? username : undefined
}
