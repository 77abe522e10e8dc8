/** What one client, or all of them together, may take. The body limits are settings; these are not. */

/** Time to send the headers, against clients that drip them. */
export const HEADERS_TIMEOUT_MS = 30_000
/** Time to send the whole request; a batch of 31 MiB passes at 5 Mbit/s. */
export const REQUEST_TIMEOUT_MS = 60_000
/** How often Node looks for requests that are over their time. */
export const TIMEOUT_CHECK_MS = 2_000
/** Longer than the idle times of common proxies and of the SDKs' pools, so that we never close first. */
export const KEEP_ALIVE_MS = 75_000
/** Parts of a multipart form: a file and its fields are three. */
export const MAX_FORM_PARTS = 20
/** What is told to clients that found no memory for their body. */
export const OVERLOAD_RETRY_SECONDS = 1
/** How often a stream that goes on asks whether its client may still read. With the directory's 10 s: within 20 s. */
export const STREAM_CHECK_MS = 5_000
