import { type Logger, pino } from 'pino'
import { PrettyLogStream } from './pretty-log.ts'
import type { Settings } from './settings.ts'

/**
 * Creates the logger. It writes to standard error; standard output is reserved for the banner.
 * @param bannerShown pretty log lines wait for it, so that the banner comes first on a terminal.
 */
export function createLog(settings: Settings, bannerShown?: Promise<void>): Logger {
  return pino(
    { level: settings.logLevel },
    isPrettyLog(settings) ? new PrettyLogStream(process.stderr, bannerShown) : pino.destination(2),
  )
}

export function isPrettyLog({ logFormat }: Settings): boolean {
  const isTerminal = process.stdout.isTTY && process.stderr.isTTY
  return logFormat === 'pretty' || (logFormat === 'auto' && isTerminal)
}
