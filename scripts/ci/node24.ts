import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** Puts Node 24 into a directory of its own, from npm; returns the path of the program. */
export async function node24(directory: string): Promise<string> {
  const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const name = `node-${platform}`
  execFileSync(
    'npm',
    ['install', '--prefix', directory, '--no-save', '--no-audit', '--no-fund', `${name}@24`],
    {
      stdio: ['ignore', 'inherit', 'inherit'],
      // Outside of the project: its package.json stays as it is.
      cwd: directory,
    },
  )
  return join(directory, 'node_modules', name, 'bin', 'node')
}
