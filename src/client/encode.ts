import type { Operation } from '../contract/operation.ts'
import { writeJson } from '../core/json/write.ts'
import { buildRequest, type EncodedRequest } from './encoded-request.ts'

/** Encodes a request of the contract as an HTTP request, with `RawJson` payloads. */
export function encodeRequest(operation: Operation, request: object): EncodedRequest {
  return buildRequest(operation, request, writeJson)
}
