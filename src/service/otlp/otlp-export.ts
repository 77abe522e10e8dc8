import type { Rejection } from '../../otlp/model.ts'
import type { OtlpEncoding } from '../../otlp/wire/decode.ts'
import type { Access } from '../access/access.ts'
import type { Quotas } from '../access/quotas.ts'
import type { Caller, Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'

/** What the ingest of OpenTelemetry needs besides the dependencies of all services. */
export interface OtlpOptions {
  readonly deps: Deps
  readonly access: Access
  readonly quotas: Quotas
  readonly createFeedback: Handlers['feedback_create_batch']
}

/** What has become of an export. */
export interface ExportOutcome {
  /** What was not stored; a count of 0 is a warning. */
  readonly rejected: readonly Rejection[]
  /** Projects that spans were stored in although nobody named them. */
  readonly guesses: readonly string[]
}

/** One export, whatever its transport. */
export interface OtlpExport {
  /** Decompressed. */
  readonly body: Buffer
  readonly encoding: OtlpEncoding
  /** The project that the request names. */
  readonly project: string | undefined
  readonly caller: Caller
}
