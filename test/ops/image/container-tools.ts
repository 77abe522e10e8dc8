import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { node24 } from '../../../scripts/ci/node24.ts'
import { installPrograms } from './debian-packages.ts'

/**
 * Builds and runs images with Debian's buildah, podman and runc, without a daemon or registry. Images, containers and
 * volumes are in `directory` and go with it.
 */
export class ContainerTools {
  readonly #directory: string
  readonly #storage: readonly string[]
  readonly #env: NodeJS.ProcessEnv

  constructor(directory: string) {
    installPrograms({ buildah: 'buildah', podman: 'podman', runc: 'runc', mmdebstrap: 'mmdebstrap' })
    this.#directory = directory
    this.#storage = ['--root', join(directory, 'storage'), '--runroot', join(directory, 'run')]
    const file = join(directory, 'containers.conf')
    // The defaults of podman may be above what this process may set.
    const limits = [`nofile=${hardLimit('open files', 65_536)}`, `nproc=${hardLimit('processes', 32_768)}`]
    writeFileSync(file, `[containers]\ndefault_ulimits = [${limits.map((text) => `"${text}"`).join(', ')}]\n`)
    this.#env = { ...process.env, CONTAINERS_CONF: file }
  }

  podman(...args: string[]): string {
    return this.#podman(args).stdout.trimEnd()
  }

  /** What a container wrote to standard output and error. */
  logs(container: string): string {
    const { stdout, stderr } = this.#podman(['logs', container])
    return stdout + stderr
  }

  #podman(args: readonly string[]): { readonly stdout: string; readonly stderr: string } {
    const options = [...this.#storage, '--runtime', 'runc', '--cgroup-manager', 'cgroupfs']
    // Without systemd it complains on standard error that it cannot schedule health checks.
    const result = spawnSync('podman', [...options, ...args], { env: this.#env, encoding: 'utf8' })
    if (result.status !== 0)
      throw new Error(`podman ${args[0]} exited with code ${result.status}: ${result.stderr}`)
    return result
  }

  /** Removes all containers and images, which are mounted in the directory. */
  remove(): void {
    this.podman('rm', '--all', '--force', '--time', '0')
    this.podman('rmi', '--all', '--force')
  }

  build(tag: string, context: string, ...args: string[]): void {
    const options = [
      '--isolation',
      'chroot',
      '--network',
      'host',
      '--format',
      'docker',
      '--pull-never',
      '--layers',
    ]
    execFileSync('buildah', [...this.#storage, 'bud', ...options, '--tag', tag, ...args, context], {
      env: this.#env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }

  /** A stand-in for the official Node image: Debian 12, Node 24, npm with the registry of this machine. */
  async buildNodeImage(tag: string): Promise<void> {
    const context = join(this.#directory, 'node-image')
    const local = join(context, 'files/usr/local')
    for (const path of ['bin', 'etc', 'lib/node_modules']) mkdirSync(join(local, path), { recursive: true })
    execFileSync(
      'mmdebstrap',
      ['--quiet', '--variant=minbase', '--include=ca-certificates', 'bookworm', join(context, 'root.tar')],
      { stdio: ['ignore', 'inherit', 'inherit'] },
    )
    cpSync(await node24(this.#directory), join(local, 'bin/node'))
    const npm = realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())
    cpSync(join(dirname(npm), '..'), join(local, 'lib/node_modules/npm'), { recursive: true })
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'))
    const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()
    writeFileSync(join(local, 'etc/npmrc'), `registry=${registry}\ncafile=${CERTIFICATES}\n`)
    mkdirSync(join(context, 'files', dirname(CERTIFICATES)), { recursive: true })
    cpSync(CERTIFICATES, join(context, 'files', CERTIFICATES), { dereference: true })
    writeFileSync(join(context, 'Dockerfile'), 'FROM scratch\nADD root.tar /\nCOPY files /\n')
    this.build(tag, context)
  }

  buildHeddle(tag: string, target: string, nodeImage: string): void {
    const cache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim()
    mkdirSync(cache, { recursive: true })
    const args = [
      '--target',
      target,
      '--build-arg',
      `NODE_IMAGE=${nodeImage}`,
      '--volume',
      `${cache}:/root/.npm`,
    ]
    this.build(tag, fileURLToPath(new URL('../../..', import.meta.url)), ...args)
  }
}

const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt'

/** The hard limit of this process, at most `max`, as podman writes soft and hard limits. */
function hardLimit(name: string, max: number): string {
  const [, hard] =
    new RegExp(`Max ${name} +\\S+ +(\\d+)`).exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
  const limit = hard === undefined ? max : Math.min(max, Number(hard))
  return `${limit}:${limit}`
}
