import { ApiError } from '../contract/api-error.ts'

/** The error for a response that broke off before its end. `fetch` reports this as a `TypeError`. */
export function cutOffError(cause: unknown): ApiError {
  return new ApiError('unavailable', 'the response was cut off; send the request again', { cause })
}
