import { countDataPoints } from '../../otlp/wire/data-points.ts'
import { Rejections } from '../../otlp/wire/rejections.ts'
import { NO_RESOURCE } from '../../otlp/wire/values.ts'
import type { ExportOutcome, OtlpExport, OtlpOptions } from './otlp-export.ts'
import { assignProjects } from './projects.ts'

/**
 * Accepts metrics and keeps none. SDKs send them to the endpoint of the traces unless they are told not to; refused, they
 * print errors, and collectors report lost data.
 */
export async function discardMetrics(
  { access, quotas }: OtlpOptions,
  { body, encoding, project, caller }: OtlpExport,
): Promise<ExportOutcome> {
  const count = countDataPoints(body, encoding)
  const rejections = new Rejections()
  // A key that has no right to a project learns it from its metrics too. Without a header, nothing is asked for.
  if (project !== undefined)
    await assignProjects(access, caller, [{ resource: NO_RESOURCE }], { header: project, rejections })
  quotas.admit(caller, { project_ids: [], bytes: body.length, countedBytes: body.length })
  if (count > 0) rejections.add(NOT_KEPT, count)
  return { rejected: rejections.list, guesses: [] }
}

const NOT_KEPT =
  'Heddle keeps no metrics; set OTEL_METRICS_EXPORTER=none in the program, or take Heddle out of the metrics pipeline of the collector'
