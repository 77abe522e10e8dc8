import protobuf from 'protobufjs/light.js'
import type { ApiError, ErrorCode } from '../contract/api-error.ts'

/** Errors as OTLP clients expect them: `google.rpc.Status`, in protobuf. */

/** Codes of gRPC. Exporters retry CANCELLED, DEADLINE_EXCEEDED, ABORTED, OUT_OF_RANGE, UNAVAILABLE, DATA_LOSS only. */
const GRPC_CODES: Readonly<Record<ErrorCode, number>> = {
  invalid_request: 3,
  unauthenticated: 16,
  forbidden: 7,
  not_found: 5,
  method_not_allowed: 12,
  conflict: 10,
  // Exporters retry it only with RetryInfo, which it never has.
  too_large: 8,
  unsupported_media_type: 3,
  unprocessable: 3,
  rate_limited: 8,
  internal: 13,
  not_implemented: 12,
  unavailable: 14,
  storage_full: 14,
  timeout: 4,
}

export function grpcCode({ code }: ApiError): number {
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

export function decodeStatus(bytes: Buffer): { readonly code: number; readonly message: string } {
  return Status.decode(bytes) as unknown as { code: number; message: string }
}
