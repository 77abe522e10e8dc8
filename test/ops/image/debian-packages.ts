import { execFileSync, spawnSync } from 'node:child_process'

/** Installs the Debian packages of programs that are missing. Needs root. */
export function installPrograms(packageByProgram: Readonly<Record<string, string>>): void {
  const missing = Object.keys(packageByProgram).filter(
    (program) => spawnSync('which', [program]).status !== 0,
  )
  const packages = [...new Set(missing.map((program) => packageByProgram[program] ?? program))]
  if (packages.length === 0) return
  if (process.getuid?.() !== 0)
    throw new Error(`install ${packages.join(', ')}, or run as root to install them`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const aptGet = (...args: string[]): void => {
    execFileSync('apt-get', ['-q', ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  }
  aptGet('update')
  aptGet('install', '-y', '--no-install-recommends', ...packages)
}
