/** Fixed limits of the HTTP server. Limits of bodies and memory are settings (src/app/settings.ts). */

/** Time to send the headers; protects against slow-header attacks. */
export const HEADERS_TIMEOUT_MS = 30_000
/** Time to send the whole request; enough for a batch of 31 MiB at 5 Mbit/s. */
export const REQUEST_TIMEOUT_MS = 60_000
/** How often Node checks for requests that exceed these timeouts. */
export const TIMEOUT_CHECK_MS = 2_000
/** Longer than the idle timeouts of common proxies and of the SDKs' connection pools, so we never close first. */
export const KEEP_ALIVE_MS = 75_000
/** Request line and headers; Node's default. */
export const MAX_HEADER_BYTES = 16 * 1024
/** One segment of a path, such as a project or an object id. */
export const MAX_PATH_PARAMETER_CHARACTERS = 512
/** Parts of a multipart form; a file with its fields needs three. */
export const MAX_FORM_PARTS = 20
/** Body of an operation that needs no credentials, such as sign-in. */
export const PUBLIC_BODY_LIMIT_BYTES = 16 * 1024
/** Body of an operation that stores no payloads: queries, lists of ids, settings. */
export const QUERY_BODY_LIMIT_BYTES = 8 * 1024 * 1024
/** A body may arrive as slowly as it wants for this long; then its average speed must reach the minimum. */
export const SLOW_BODY_GRACE_MS = 10_000
export const MIN_BODY_BYTES_PER_SECOND = 32 * 1024
/** Retry-After of requests rejected because the memory budget is exhausted. */
export const OVERLOAD_RETRY_SECONDS = 1
/**
 * How often a long-running response checks that its caller is still authorized. Access data is cached for 10 s, so a
 * revoked permission takes effect within 20 s.
 */
export const STREAM_CHECK_MS = 5_000
/** A client that reads nothing of its response for this long is disconnected. */
export const STALLED_RESPONSE_MS = 120_000
/** Requests of one connection that may wait for the one before them; beyond it, the connection is not read. */
export const MAX_PIPELINED_REQUESTS = 32
/** Such requests of all connections, 2 KB each; beyond it, connections with too many are closed. */
export const MAX_WAITING_REQUESTS = 30_000
/** Requests on connections that are not authenticated, which begin in one tick of the event loop: 1 to 2 ms of work. */
export const MAX_UNAUTHENTICATED_PER_TICK = 16
/** Requests without valid credentials that are rejected at once; further ones of the address after the delay. */
export const REJECTIONS_PER_ADDRESS = { perMinute: 6_000, burst: 1_000 }
export const REJECTION_DELAY_MS = 1_000
/** Concurrent streams of one HTTP/2 connection: announced, and enforced before any work is done for a stream. */
export const MAX_CONCURRENT_STREAMS = 100
/** Of one HTTP/2 connection; then it is closed. */
export const MAX_INVALID_FRAMES = 100
/** Streams that an HTTP/2 connection may open without any being authenticated; then it is closed. */
export const MAX_UNAUTHENTICATED_STREAMS = 200
/** Streams of one HTTP/2 connection that its client may cancel; then it is closed. */
export const CANCELLED_STREAMS = { perSecond: 20, burst: 200 }
