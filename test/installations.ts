import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/**
 * Programs from PyPI and npm that suites run, installed as users do. Cached under node_modules, so that a second run
 * needs no network and `npm ci` clears the cache.
 */
const CACHE = fileURLToPath(new URL('../node_modules/.cache/test/', import.meta.url))

/**
 * Variables of Python programs. Bytecode is kept beside the installations, not beside the sources in `test`: without it each
 * process compiles all that it imports, and `import weave` takes 4.0 s of processor time instead of 1.8.
 */
export const PYTHON_VARIABLES = {
  PYTHONPYCACHEPREFIX: `${CACHE}bytecode`,
  PYTHONDONTWRITEBYTECODE: '',
} as const

/** Installs into a folder of this name once, and returns its path. An incomplete installation is repeated. */
export async function installOnce(
  name: string,
  install: (directory: string) => Promise<void>,
): Promise<string> {
  const directory = CACHE + name
  const marker = `${directory}/.complete`
  if (existsSync(marker)) return directory
  await rm(directory, { recursive: true, force: true })
  console.log(`installing into ${name}`)
  await install(directory)
  await writeFile(marker, '')
  return directory
}

/** A virtual environment with packages from PyPI, such as `pytest==9.2.0`. Returns the path of its Python. */
export async function pythonWith(name: string, packages: readonly string[]): Promise<string> {
  const directory = await installOnce(name, async (path) => {
    const python = process.env['PYTHON'] ?? 'python3'
    // A pip of its own would take 6.5 s of processor time.
    await runInstaller(python, ['-m', 'venv', '--without-pip', path])
    const options = ['--quiet', '--disable-pip-version-check', '--no-compile']
    const pip = ['-m', 'pip', '--python', `${path}/bin/python`]
    await runInstaller(python, [...pip, 'install', ...options, ...packages])
  })
  return `${directory}/bin/python`
}

export async function runInstaller(command: string, args: readonly string[], cwd?: string): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], cwd })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} exited with code ${code}`)
}
