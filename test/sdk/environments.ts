import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import versions from './versions.json' with { type: 'json' }

/**
 * Installs the SDKs as users do: `weave` from PyPI into virtual environments, `weave` from npm into a folder. Uses the
 * latest releases, and for Python also one from half a year earlier, which still writes through `upsert_batch`. Cached
 * under node_modules, so that a second run needs no network and `npm ci` clears the cache.
 */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/sdk/', import.meta.url))

export interface PythonEnvironment {
  readonly version: string
  readonly python: string
}

export interface TypeScriptEnvironment {
  readonly version: string
  /** Folder of the programs, next to the `node_modules` with the SDK. */
  readonly programs: string
}

export async function pythonEnvironments(): Promise<PythonEnvironment[]> {
  return Promise.all(versions.python.map(pythonEnvironment))
}

/** The environment of the latest release. */
export async function latestPythonEnvironment(): Promise<PythonEnvironment> {
  const [latest] = versions.python
  if (latest === undefined) throw new Error('versions.json has no Python release')
  return pythonEnvironment(latest)
}

async function pythonEnvironment(version: string): Promise<PythonEnvironment> {
  const directory = `${CACHE}python-${version}`
  const python = `${directory}/bin/python`
  await installOnce(directory, async () => {
    await run(process.env['PYTHON'] ?? 'python3', ['-m', 'venv', directory])
    const packages = [`weave==${version}`, `pytest==${versions.pytest}`]
    packages.push(`pytest-xdist==${versions['pytest-xdist']}`)
    const pipOptions = ['--quiet', '--disable-pip-version-check', '--no-compile']
    await run(python, ['-m', 'pip', 'install', ...pipOptions, ...packages])
  })
  return { version, python }
}

export async function typescriptEnvironment(): Promise<TypeScriptEnvironment> {
  const version = versions.typescript
  const directory = `${CACHE}typescript-${version}`
  await installOnce(directory, async () => {
    await mkdir(directory, { recursive: true })
    await writeFile(`${directory}/package.json`, '{"private": true}\n')
    await run('npm', ['install', '--no-audit', '--no-fund', '--silent', `weave@${version}`], directory)
  })
  const programs = `${directory}/programs`
  await rm(programs, { recursive: true, force: true })
  await cp(fileURLToPath(new URL('typescript', import.meta.url)), programs, { recursive: true })
  return { version, programs }
}

/** Installs into a folder once. An incomplete installation is repeated. */
async function installOnce(directory: string, install: () => Promise<void>): Promise<void> {
  const marker = `${directory}/.complete`
  if (existsSync(marker)) return
  await rm(directory, { recursive: true, force: true })
  console.log(`sdk: installing into ${directory.slice(CACHE.length)}`)
  await install()
  await writeFile(marker, '')
}

async function run(command: string, args: readonly string[], cwd?: string): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], cwd })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} exited with code ${code}`)
}
