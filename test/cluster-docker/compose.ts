import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** The containers of deploy/cluster-test. */
export class Compose {
  readonly #file: string

  /** The name of a compose file in deploy/cluster-test. */
  constructor(file: string) {
    this.#file = fileURLToPath(new URL(`../../deploy/cluster-test/${file}`, import.meta.url))
  }

  up(): Promise<string> {
    return this.#compose('up', '--build', '--detach', '--wait', '--wait-timeout', '300')
  }

  async down(): Promise<void> {
    await this.#compose('down', '--volumes', '--timeout', '40')
  }

  logs(): Promise<string> {
    return this.#compose('logs', '--no-color', '--tail', '2000')
  }

  /** Names of the services that begin so. */
  async services(prefix: string): Promise<string[]> {
    const names = (await this.#compose('config', '--services')).split('\n')
    return names.filter((name) => name.startsWith(prefix)).sort()
  }

  kill(service: string): Promise<string> {
    return this.#compose('kill', '--signal', 'SIGKILL', service)
  }

  start(service: string): Promise<string> {
    return this.#compose('start', service)
  }

  restart(service: string): Promise<string> {
    return this.#compose('restart', '--timeout', '40', service)
  }

  pause(service: string): Promise<string> {
    return this.#compose('pause', service)
  }

  unpause(service: string): Promise<string> {
    return this.#compose('unpause', service)
  }

  async disconnect(service: string): Promise<void> {
    await run('docker', 'network', 'disconnect', await this.#network(), await this.#container(service))
  }

  /** With its name, by which the others find it. */
  async connect(service: string): Promise<void> {
    const container = await this.#container(service)
    await run('docker', 'network', 'connect', '--alias', service, await this.#network(), container)
  }

  /** Runs a statement in a ClickHouse container. */
  query(service: string, statement: string): Promise<string> {
    const client = ['clickhouse-client', '--user', 'heddle', '--password', 'only-for-this-test']
    return this.#compose('exec', '--no-TTY', service, ...client, '--query', statement)
  }

  async #container(service: string): Promise<string> {
    return (await this.#compose('ps', '--all', '--quiet', service)).trim()
  }

  async #network(): Promise<string> {
    const { name } = JSON.parse(await this.#compose('config', '--format', 'json')) as { name: string }
    return `${name}_default`
  }

  #compose(...args: readonly string[]): Promise<string> {
    return run('docker', 'compose', '--file', this.#file, ...args)
  }
}

async function run(command: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { maxBuffer: 1 << 28 })
  return stdout
}
