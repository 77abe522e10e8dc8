import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** Installs Node 24 from npm into `directory` and returns the path of its binary. */
export async function node24(directory: string): Promise<string> {
  const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const name = `node-${platform}`
  execFileSync(
    'npm',
    ['install', '--prefix', directory, '--no-save', '--no-audit', '--no-fund', `${name}@24`],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      // Outside the checkout, so that package.json stays unchanged.
      cwd: directory,
    },
  )
  return join(directory, 'node_modules', name, 'bin', 'node')
}
