import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** With fonts, so that the pictures of the docs look the same on a machine that had none. */
const PACKAGES = ['chromium', 'fonts-dejavu-core', 'fonts-noto-color-emoji']

/** A browser of the machine, or Debian's, which is installed if there is none. */
export function chromium(): string {
  const given = process.env['HEDDLE_CHROMIUM']
  if (given !== undefined) return given
  const found = PLACES.find((path) => existsSync(path))
  if (found !== undefined) return found
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...PACKAGES]]) {
    const [program = '', ...rest] = [...asRoot, 'apt-get', '-q', ...args]
    spawnSync(program, rest, { stdio: ['ignore', 'ignore', 'inherit'], env })
  }
  const installed = PLACES.find((path) => existsSync(path))
  if (installed === undefined) throw new Error('no browser: install chromium, or name one by HEDDLE_CHROMIUM')
  return installed
}
