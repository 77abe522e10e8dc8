import type { Settings } from '../../app/settings.ts'
import { clickHouseErrorCode } from '../../store/database/clickhouse-error.ts'
import { serverHost } from '../../store/database/every-server.ts'
import { type Finding, problem } from './check.ts'

/** ClickHouse's codes of a wrong user or password. */
const SIGN_IN_CODES = ['516', '192', '193', '194']

/** Why ClickHouse cannot be used. `host`: a server of a cluster. */
export function unreachable(error: unknown, settings: Settings, host?: string): Finding {
  const { clickhouseUrl, clickhouseUser, cluster } = settings
  const at = host === undefined ? '' : ` at ${host}`
  if (SIGN_IN_CODES.includes(clickHouseErrorCode(error) ?? ''))
    return problem(
      `ClickHouse${at} refuses the user ${clickhouseUser}: wrong user or password`,
      'set HEDDLE_CLICKHOUSE_USER and HEDDLE_CLICKHOUSE_PASSWORD, or HEDDLE_CLICKHOUSE_PASSWORD_FILE',
    )
  if (host !== undefined)
    return problem(
      `ClickHouse does not respond at ${host}: ${reasonOf(error)}`,
      'check the servers in the file of HEDDLE_CLUSTER, the network, and that ClickHouse is running',
    )
  if (cluster !== undefined)
    return problem(firstLine(error), 'correct the file as docs/deploy/cluster.md describes')
  if (clickhouseUrl === undefined) {
    const reason = firstLine(error)
    return problem(
      `embedded ClickHouse does not start: ${reason}`,
      reason.includes('permission denied')
        ? 'run commands and server as one user, to whom the data directory and everything in it belongs'
        : 'remove this cause; `heddle serve --log-level debug` shows all output of ClickHouse',
    )
  }
  return problem(
    `ClickHouse does not respond at ${serverHost(clickhouseUrl)}: ${reasonOf(error)}`,
    'check HEDDLE_CLICKHOUSE_URL, the network, and that ClickHouse is running',
  )
}

function reasonOf(error: unknown): string {
  return firstLine(error instanceof Error && error.cause instanceof Error ? error.cause : error)
}

export function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.split('\n')[0] ?? ''
}
