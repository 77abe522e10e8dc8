import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { installOnce, pythonWith, runInstaller } from '../installations.ts'
import versions from './versions.json' with { type: 'json' }

/**
 * Installs the SDKs as users do: `weave` from PyPI into virtual environments, `weave` from npm into a folder. Uses the
 * latest releases, and for Python also one from half a year earlier, which still writes through `upsert_batch`.
 */
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
  const packages = [
    `weave==${version}`,
    `pytest==${versions.pytest}`,
    `pytest-xdist==${versions['pytest-xdist']}`,
  ]
  // The binary distribution contains the program that the SDK starts (164 MB), which the tests replace.
  if (version === versions.python[0])
    packages.push('--no-binary=claude-agent-sdk', `claude-agent-sdk==${versions['claude-agent-sdk']}`)
  return { version, python: await pythonWith(`sdk-python-${version}`, packages) }
}

export async function typescriptEnvironment(): Promise<TypeScriptEnvironment> {
  const version = versions.typescript
  const directory = await installOnce(`sdk-typescript-${version}`, async (path) => {
    await mkdir(path, { recursive: true })
    await writeFile(`${path}/package.json`, '{"private": true}\n')
    await runInstaller('npm', ['install', '--no-audit', '--no-fund', '--silent', `weave@${version}`], path)
  })
  const programs = `${directory}/programs`
  await rm(programs, { recursive: true, force: true })
  await cp(fileURLToPath(new URL('typescript', import.meta.url)), programs, { recursive: true })
  return { version, programs }
}
