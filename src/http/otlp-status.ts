import grpc from '@grpc/grpc-js'
import protobuf from 'protobufjs/light.js'
import type { ApiError, ErrorCode } from '../contract/api-error.ts'

/** Errors as OTLP clients expect them: `google.rpc.Status`, in protobuf. */

/** Codes of gRPC. Exporters retry CANCELLED, DEADLINE_EXCEEDED, ABORTED, OUT_OF_RANGE, UNAVAILABLE, DATA_LOSS only. */
const GRPC_CODES: Readonly<Record<ErrorCode, grpc.status>> = {
  invalid_request: grpc.status.INVALID_ARGUMENT,
  unauthenticated: grpc.status.UNAUTHENTICATED,
  forbidden: grpc.status.PERMISSION_DENIED,
  not_found: grpc.status.NOT_FOUND,
  method_not_allowed: grpc.status.UNIMPLEMENTED,
  conflict: grpc.status.ABORTED,
  // Exporters retry it only with RetryInfo, which it never has.
  too_large: grpc.status.RESOURCE_EXHAUSTED,
  unsupported_media_type: grpc.status.INVALID_ARGUMENT,
  unprocessable: grpc.status.INVALID_ARGUMENT,
  rate_limited: grpc.status.RESOURCE_EXHAUSTED,
  internal: grpc.status.INTERNAL,
  not_implemented: grpc.status.UNIMPLEMENTED,
  unavailable: grpc.status.UNAVAILABLE,
  storage_full: grpc.status.UNAVAILABLE,
  timeout: grpc.status.DEADLINE_EXCEEDED,
}

export function grpcCode({ code }: ApiError): grpc.status {
  return GRPC_CODES[code]
}

const root = protobuf.Root.fromJSON({
  nested: {
    Status: {
      fields: {
        code: { type: 'int32', id: 1 },
        message: { type: 'string', id: 2 },
        details: { rule: 'repeated', type: 'Any', id: 3 },
      },
    },
    Any: { fields: { type_url: { type: 'string', id: 1 }, value: { type: 'bytes', id: 2 } } },
    RetryInfo: { fields: { retry_delay: { type: 'Duration', id: 1 } } },
    Duration: { fields: { seconds: { type: 'int64', id: 1 }, nanos: { type: 'int32', id: 2 } } },
  },
})
const Status = root.lookupType('Status')
const RetryInfo = root.lookupType('RetryInfo')

/** `retryAfterSeconds`: after which the request may be sent again; undefined if it should not be. */
export function encodeStatus(error: ApiError, retryAfterSeconds: number | undefined): Buffer {
  const details =
    retryAfterSeconds === undefined
      ? []
      : [
          {
            type_url: 'type.googleapis.com/google.rpc.RetryInfo',
            value: RetryInfo.encode({ retry_delay: { seconds: retryAfterSeconds } }).finish(),
          },
        ]
  return Buffer.from(Status.encode({ code: grpcCode(error), message: error.message, details }).finish())
}

export function decodeStatus(bytes: Buffer): { readonly code: grpc.status; readonly message: string } {
  const { code, message } = Status.decode(bytes) as unknown as { code: number; message: string }
  return { code: KNOWN_CODES.get(code) ?? grpc.status.UNKNOWN, message }
}

const KNOWN_CODES = new Map<number, grpc.status>(Object.values(GRPC_CODES).map((code) => [code, code]))
