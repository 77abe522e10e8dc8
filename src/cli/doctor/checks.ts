import type { Check } from './check.ts'
import { clickhouseConnection, clickhouseClock, clickhouseVersion } from './clickhouse.ts'
import { clusterCheck } from './cluster.ts'
import { settingsCheck } from './configuration.ts'
import { diskCheck } from './disk.ts'
import { memoryCheck } from './memory.ts'
import { migrationsCheck } from './migrations.ts'
import { detachedPartsCheck, partsCheck } from './parts.ts'
import { proxyVariablesCheck, webPageCheck } from './proxy.ts'
import { roundTripCheck } from './round-trip.ts'
import { sdkCheck } from './sdk-environment.ts'
import { keyCheck, serverCheck } from './server.ts'
import { logTablesCheck } from './system-tables.ts'

/** All checks of `heddle doctor`, in the order in which they are printed. A new one is one file and one line here. */
export const CHECKS: readonly Check[] = [
  settingsCheck,
  clickhouseConnection,
  clickhouseVersion,
  clickhouseClock,
  clusterCheck,
  diskCheck,
  partsCheck,
  detachedPartsCheck,
  logTablesCheck,
  memoryCheck,
  migrationsCheck,
  serverCheck,
  keyCheck,
  roundTripCheck,
  webPageCheck,
  sdkCheck,
  proxyVariablesCheck,
]
