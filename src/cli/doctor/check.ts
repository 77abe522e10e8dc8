import type { InspectedServer, InspectedStorage } from '../../app/inspect-storage.ts'
import type { Settings } from '../../app/settings.ts'
import type { Client } from '../../client/client.ts'
import type { Database } from '../../store/database/database.ts'

/** The types of the checks of `heddle doctor`. */

/** `problem`: something does not work or soon will not. `warning`: worth a look. `skipped`: could not be checked. */
export type Level = 'ok' | 'warning' | 'problem' | 'skipped'

export interface Finding {
  readonly level: Level
  readonly message: string
  /** One line that says what to do; every warning and problem has one. */
  readonly remedy?: string
}

export interface DoctorContext {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly settings: Settings
  /** The server to examine; undefined if none responds. */
  readonly server: Server | undefined
  /** Or why ClickHouse cannot be reached. */
  readonly storage: InspectedStorage | { readonly reason: Finding }
}

export interface Server {
  readonly url: string
  /** The check `server` reports it if not; others are skipped. */
  readonly responds: boolean
  /** Signed in with the API key; undefined without one. */
  readonly client: Client | undefined
}

export interface Check {
  readonly name: string
  run(context: DoctorContext): Promise<readonly Finding[]> | readonly Finding[]
}

export const ok = (message: string): Finding => ({ level: 'ok', message })
export const skipped = (message: string): Finding => ({ level: 'skipped', message })
export const warning = (message: string, remedy: string): Finding => ({ level: 'warning', message, remedy })
export const problem = (message: string, remedy: string): Finding => ({ level: 'problem', message, remedy })

export const NO_RESPONSE = skipped('the server does not respond')

/** A check of every ClickHouse server; skipped if none can be reached, which another check reports. */
export function clickhouseCheck(
  name: string,
  run: (
    server: InspectedServer & Pick<InspectedStorage, 'isEmbedded'>,
    context: DoctorContext,
  ) => Promise<readonly Finding[]>,
): Check {
  return {
    name,
    run: async (context) => {
      const { storage } = context
      if ('reason' in storage || storage.servers.length === 0)
        return [skipped('ClickHouse cannot be reached')]
      const findings: Finding[] = []
      for (const server of storage.servers) {
        const own = await run({ ...server, isEmbedded: storage.isEmbedded }, context)
        findings.push(...own.map((finding) => ofServer(server.host, finding)))
      }
      return findings
    },
  }
}

/** In a cluster, a finding names the server. */
export function ofServer(host: string | undefined, finding: Finding): Finding {
  return host === undefined ? finding : { ...finding, message: `${host}: ${finding.message}` }
}

/** A check of Heddle's database on every server; skipped if there is none yet. */
export function databaseCheck(
  name: string,
  run: (db: Database, context: DoctorContext, host: string | undefined) => Promise<readonly Finding[]>,
): Check {
  return clickhouseCheck(name, async ({ db, host }, context) =>
    db === undefined ? [skipped('the database does not exist yet')] : run(db, context, host),
  )
}
