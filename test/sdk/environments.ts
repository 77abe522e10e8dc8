import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import versions from './versions.json' with { type: 'json' }

/**
 * The SDKs as their users install them: `weave` from PyPI in virtual environments, `weave` from npm in a folder. The
 * newest releases, and for Python also one of half a year before, which still writes through `upsert_batch`. Kept
 * under node_modules, so that a second run needs no network and `npm ci` starts afresh.
 */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/sdk/', import.meta.url))

export interface PythonEnvironment {
  readonly version: string
  readonly python: string
}

export interface TypeScriptEnvironment {
  readonly version: string
  /** The programs, beside the `node_modules` that has the SDK. */
  readonly programs: string
}

export async function pythonEnvironments(): Promise<PythonEnvironment[]> {
  return Promise.all(versions.python.map(pythonEnvironment))
}

/** With the newest release. */
export async function newestPythonEnvironment(): Promise<PythonEnvironment> {
  const [newest] = versions.python
  if (newest === undefined) throw new Error('versions.json names no Python release')
  return pythonEnvironment(newest)
}

async function pythonEnvironment(version: string): Promise<PythonEnvironment> {
  const directory = `${CACHE}python-${version}`
  const python = `${directory}/bin/python`
  await makeOnce(directory, async () => {
    await run(process.env['PYTHON'] ?? 'python3', ['-m', 'venv', directory])
    const packages = [`weave==${version}`, `pytest==${versions.pytest}`]
    packages.push(`pytest-xdist==${versions['pytest-xdist']}`)
    const quietly = ['--quiet', '--disable-pip-version-check', '--no-compile']
    await run(python, ['-m', 'pip', 'install', ...quietly, ...packages])
  })
  return { version, python }
}

export async function typescriptEnvironment(): Promise<TypeScriptEnvironment> {
  const version = versions.typescript
  const directory = `${CACHE}typescript-${version}`
  await makeOnce(directory, async () => {
    await mkdir(directory, { recursive: true })
    await writeFile(`${directory}/package.json`, '{"private": true}\n')
    await run('npm', ['install', '--no-audit', '--no-fund', '--silent', `weave@${version}`], directory)
  })
  const programs = `${directory}/programs`
  await rm(programs, { recursive: true, force: true })
  await cp(fileURLToPath(new URL('typescript', import.meta.url)), programs, { recursive: true })
  return { version, programs }
}

/** A folder that was left half made is made again. */
async function makeOnce(directory: string, make: () => Promise<void>): Promise<void> {
  const whole = `${directory}/.whole`
  if (existsSync(whole)) return
  await rm(directory, { recursive: true, force: true })
  console.log(`sdk: installing into ${directory.slice(CACHE.length)}`)
  await make()
  await writeFile(whole, '')
}

async function run(command: string, args: readonly string[], cwd?: string): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], cwd })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`)
}
