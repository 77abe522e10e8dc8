/** Fixed limits of the HTTP server. Limits of bodies and memory are settings (src/app/settings.ts). */

/** Time to send the headers; protects against slow-header attacks. */
export const HEADERS_TIMEOUT_MS = 30_000
/** Time to send the whole request; enough for a batch of 31 MiB at 5 Mbit/s. */
export const REQUEST_TIMEOUT_MS = 60_000
/** How often Node checks for requests that exceed these timeouts. */
export const TIMEOUT_CHECK_MS = 2_000
/** Longer than the idle timeouts of common proxies and of the SDKs' connection pools, so we never close first. */
export const KEEP_ALIVE_MS = 75_000
/** Parts of a multipart form; a file with its fields needs three. */
export const MAX_FORM_PARTS = 20
/** Retry-After of requests rejected because the memory budget is exhausted. */
export const OVERLOAD_RETRY_SECONDS = 1
/**
 * How often a long-running response checks that its caller is still authorized. Access data is cached for 10 s, so a
 * revoked permission takes effect within 20 s.
 */
export const STREAM_CHECK_MS = 5_000
