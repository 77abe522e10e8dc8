import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** The headless shell is the same browser without windows: it takes two thirds of the processor time. */
const PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
/** With fonts, so that screenshots look the same on a machine without any. */
const FONTS = ['fonts-dejavu-core', 'fonts-noto-color-emoji']

/** The path of Chromium. Installs a package of Debian if the machine has no browser. */
export function chromium(): string {
  const configured = process.env['HEDDLE_CHROMIUM']
  if (configured !== undefined) return configured
  const found = PATHS.find((path) => existsSync(path))
  if (found !== undefined) return found
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const aptGet = (...args: string[]): void => {
    const [program = '', ...rest] = [...asRoot, 'apt-get', '-q', ...args]
    spawnSync(program, rest, { stdio: ['ignore', 'ignore', 'inherit'], env })
  }
  const install = (...packages: string[]): string | undefined => {
    aptGet('install', '-y', '--no-install-recommends', ...packages)
    return PATHS.find((path) => existsSync(path))
  }
  aptGet('update')
  const installed = install('chromium-headless-shell', ...FONTS) ?? install('chromium', ...FONTS)
  if (installed === undefined)
    throw new Error('no browser found: install chromium, or set HEDDLE_CHROMIUM to its path')
  return installed
}
