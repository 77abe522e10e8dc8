import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** Includes fonts, so that screenshots look the same on a machine without any. */
const PACKAGES = ['chromium', 'fonts-dejavu-core', 'fonts-noto-color-emoji']

/** The path of Chromium. Installs Debian's package if the machine has no browser. */
export function chromium(): string {
  const configured = process.env['HEDDLE_CHROMIUM']
  if (configured !== undefined) return configured
  const found = PATHS.find((path) => existsSync(path))
  if (found !== undefined) return found
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...PACKAGES]]) {
    const [program = '', ...rest] = [...asRoot, 'apt-get', '-q', ...args]
    spawnSync(program, rest, { stdio: ['ignore', 'ignore', 'inherit'], env })
  }
  const installed = PATHS.find((path) => existsSync(path))
  if (installed === undefined)
    throw new Error('no browser found: install chromium, or set HEDDLE_CHROMIUM to its path')
  return installed
}
