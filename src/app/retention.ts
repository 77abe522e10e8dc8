import type { Logger } from 'pino'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Deps } from '../service/deps.ts'
import { RetentionJob } from '../service/retention/retention-job.ts'
import type { Settings } from './settings.ts'

/** Starts the retention job with its metrics and log lines. Returns the function that stops it. */
export function startRetention(deps: Deps, settings: Settings, log: Logger, registry: Registry): () => void {
  const job = new RetentionJob(deps, {
    intervalSeconds: settings.retentionIntervalSeconds,
    diskWarnPercent: settings.diskWarnPercent,
    diskDeletePercent: settings.diskDeletePercent,
    onError: (error) => log.warn({ err: error }, 'retention failed; it is retried'),
    onDiskWarning: (percent) =>
      log.warn(
        { disk_used_percent: Math.round(percent) },
        'the disk of ClickHouse is filling up: add space, or limit what projects keep (docs/retention.md)',
      ),
  })
  addMetrics(job, registry)
  job.start()
  return () => job.stop()
}

function addMetrics(job: RetentionJob, registry: Registry): void {
  const registers = [registry]
  void new Gauge({
    name: 'heddle_retention_lag_seconds',
    help: 'Seconds since the last complete run of retention on any node began; 0 if no project has a policy.',
    // Every worker knows the same value.
    aggregator: 'max',
    registers,
    collect() {
      this.set(job.lagSeconds)
    },
  })
  const counter = (kind: 'calls' | 'payloads', help: string): void => {
    void new Counter({
      name: `heddle_retention_deleted_${kind}_total`,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(job.deleted[kind])
      },
    })
  }
  counter('calls', 'Calls deleted by retention policies or because the disk was full, by this process.')
  counter('payloads', 'Calls whose payloads were deleted by retention policies, by this process.')
}
