/** Fixed limits of requests. The API reference lists them; limits of bodies and memory are settings. */

/** Ids of calls, traces and feedback. */
export const MAX_ID_CHARACTERS = 256
export const MAX_PROJECT_ID_CHARACTERS = 256

/** Nesting of JSON in a body. */
export const MAX_DEPTH = 200
/** Arrays whose items are built as objects: calls of a batch, sort keys. */
export const MAX_ITEMS = 100_000
/** Rows and digests of a table; an SDK sends up to 31 MiB of them in one request. */
export const MAX_ROWS = 1_000_000

/** Resource and scope attributes of an OTLP export, which are stored with each of its spans. */
export const MAX_SHARED_BYTES = 64 * 1024 * 1024

/** Operators, literals and parts of field names in a query. Beyond them ClickHouse spends its time in the parser. */
export const MAX_QUERY_NODES = 10_000
export const MAX_QUERY_DEPTH = 200
/** Parts of a field name. No document is nested deeper. */
export const MAX_FIELD_PARTS = 200
/** Numbers among them. Each may be an index or a key; the nested SQL of 60 of them takes ClickHouse seconds to plan. */
export const MAX_FIELD_INDEXES = 16
/** Items of each list in a filter of calls. */
export const MAX_FILTER_ITEMS = 1_000
/** Columns of `expand_columns`, and bytes of the values that replace refs in one response. */
export const MAX_EXPANDED_COLUMNS = 100
export const MAX_EXPANDED_BYTES = 64 * 1024 * 1024
/** A response that is not streamed: rows of ClickHouse that it is made of. */
export const MAX_RESPONSE_BYTES = 256 * 1024 * 1024
/** Columns of `expand_columns` that the query and the order of one request use. */
export const MAX_REF_JOINS = 10

export const MAX_DELETED_CALLS = 1_000
export const MAX_DELETED_VERSIONS = 100
/** Refs of one `refs/read_batch`. */
export const MAX_REFS = 1_000
export const MAX_OBJECT_ID_CHARACTERS = 128
export const MAX_TAG_CHARACTERS = 256
export const MAX_ALIAS_CHARACTERS = 128
export const MAX_FEEDBACK_PAYLOAD_BYTES = 1024 * 1024
export const MAX_NOTE_CHARACTERS = 1_024

/** Time range and buckets of `calls/stats`, `feedback/stats` and metrics. */
export const MAX_STATS_DAYS = 31
export const MAX_BUCKETS = 10_000

export const MAX_QUEUE_ITEMS = 10_000
/** Sources of dataset rows that one request links, deletes or looks up. */
export const MAX_DATASET_SOURCES = 1_000

/** Any such query stays below 128 KiB of UTF-8, ClickHouse's limit for one form field. */
export const MAX_SQL_CHARACTERS = 40_000
export const MAX_SQL_PARAMETERS = 100
export const SQL_ROW_LIMIT = { default: 10_000, max: 1_000_000 } as const

/** Changes that one user may make through one server process: at once, and per minute. */
export interface UserRate {
  readonly burst: number
  readonly perMinute: number
}

/** Active API keys and sessions of a user: every server keeps all of them in memory. */
export const MAX_KEYS_PER_USER = 200
export const MAX_SESSIONS_PER_USER = 100
/** Revoked keys stay in the table, so that they stay revoked. */
export const NEW_KEYS: UserRate = { burst: 30, perMinute: 10 }
export const NEW_SESSIONS: UserRate = { burst: 120, perMinute: 60 }
/** Each hashes two passwords, a third of a second of a core each. */
export const PASSWORD_CHANGES: UserRate = { burst: 20, perMinute: 10 }
export const ROLE_CHANGES: UserRate = { burst: 120, perMinute: 60 }

/** SDKs split a batch that gets 413. */
export const MAX_NEW_PROJECTS_PER_REQUEST = 3_000
export const NEW_PROJECTS: UserRate = { burst: MAX_NEW_PROJECTS_PER_REQUEST, perMinute: 600 }
