import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readSettings, SETTINGS } from '../../src/app/settings.ts'
import { findUnknownVariables } from '../../src/cli/unknown-variables.ts'
import { runCli } from '../run-cli.ts'

const directory = mkdtempSync(join(tmpdir(), 'heddle-config-'))
afterAll(() => rmSync(directory, { recursive: true }))

function secretFile(text: string): string {
  const file = join(directory, `secret-${Math.random()}`)
  writeFileSync(file, text)
  return file
}

describe('a secret in a file', () => {
  test('is read for every secret setting, without the newline at its end', () => {
    const secrets = Object.entries(SETTINGS).filter(([, { isSecret }]) => isSecret)
    expect(secrets.length).toBeGreaterThan(3)
    for (const [key, { variable }] of secrets) {
      const settings = readSettings({ [`${variable}_FILE`]: secretFile('pass word\n') })
      expect(settings[key as keyof typeof settings], variable).toBe('pass word')
    }
  })

  test('is refused together with the variable, if it is absent, and if it is empty', () => {
    const file = secretFile('a')
    const both = { HEDDLE_INIT_API_KEY: 'b', HEDDLE_INIT_API_KEY_FILE: file }
    expect(() => readSettings(both)).toThrow('HEDDLE_INIT_API_KEY and HEDDLE_INIT_API_KEY_FILE are both set')
    expect(() => readSettings({ HEDDLE_INIT_API_KEY_FILE: join(directory, 'absent') })).toThrow(
      /HEDDLE_INIT_API_KEY_FILE names a file that cannot be read: ENOENT/,
    )
    expect(() => readSettings({ HEDDLE_INIT_API_KEY_FILE: secretFile('\n') })).toThrow('empty file')
  })

  test('is an unknown variable for settings that are not secrets', () => {
    expect(findUnknownVariables({ HEDDLE_PORT_FILE: '/x', HEDDLE_DEMO_KEY_FILE: '/x' })).toEqual([
      { variable: 'HEDDLE_PORT_FILE', suggestion: 'HEDDLE_PORT' },
    ])
  })
})

describe('unknown variables', () => {
  test('are found with the most similar setting', () => {
    expect(findUnknownVariables({ HEDDLE_CLICKHOUSE_PASWORD: 'x', HEDDLE_NONSENSE: 'x', PATH: 'x' })).toEqual(
      [
        { variable: 'HEDDLE_CLICKHOUSE_PASWORD', suggestion: 'HEDDLE_CLICKHOUSE_PASSWORD' },
        { variable: 'HEDDLE_NONSENSE', suggestion: undefined },
      ],
    )
  })

  test('are not those of settings, tests and Kubernetes', () => {
    const names = [
      ...Object.values(SETTINGS).map(({ variable }) => variable),
      'HEDDLE_API_KEY',
      'HEDDLE_TEST_CLICKHOUSE_URL',
      'HEDDLE_PROPERTY_RUNS',
      'HEDDLE_CHROMIUM',
      'HEDDLE_SERVICE_HOST',
      'HEDDLE_SERVICE_PORT_HTTP',
      'HEDDLE_PORT_6340_TCP_ADDR',
      'HEDDLE_CLICKHOUSE_PORT_8123_TCP',
    ]
    expect(findUnknownVariables(Object.fromEntries(names.map((name) => [name, '1'])))).toEqual([])
  })
})

describe('a number', () => {
  test('that Kubernetes has set for a Service is refused with the remedy', () => {
    expect(() => readSettings({ HEDDLE_PORT: 'tcp://10.0.0.1:6340' })).toThrow('enableServiceLinks: false')
  })
})

describe('heddle config print', () => {
  const env = {
    HEDDLE_HOST: '0.0.0.0',
    HEDDLE_CLICKHOUSE_URL: 'http://ada:url-secret@db.example:8123',
    HEDDLE_CLICKHOUSE_PASSWORD_FILE: secretFile('file-secret\n'),
    HEDDLE_INIT_API_KEY: 'environment-secret',
    HEDDLE_DURABLITY: 'power',
  }

  test('shows values and sources, and redacts secrets', async () => {
    const { code, stdout, stderr } = await runCli(['config', 'print', '--port', '7000', '--json'], { env })
    expect(code).toBe(0)
    expect(stdout).not.toContain('secret')
    const rows = JSON.parse(stdout) as { variable: string; value: string | null; source: string }[]
    const row = (variable: string) => rows.find((other) => other.variable === variable)
    expect(row('HEDDLE_PORT')).toMatchObject({ value: '7000', source: 'flag' })
    expect(row('HEDDLE_HOST')).toMatchObject({ value: '0.0.0.0', source: 'environment' })
    expect(row('HEDDLE_CLICKHOUSE_PASSWORD')).toMatchObject({ value: '[redacted]', source: 'file' })
    expect(row('HEDDLE_INIT_API_KEY')).toMatchObject({ value: '[redacted]', source: 'environment' })
    expect(row('HEDDLE_INIT_ADMIN_PASSWORD')).toMatchObject({ value: null, source: 'default' })
    expect(row('HEDDLE_CLICKHOUSE_URL')?.value).toBe('http://[redacted]@db.example:8123')
    expect(stderr).toContain('HEDDLE_DURABLITY is not a setting')
    expect(stderr).toContain('did you mean HEDDLE_DURABILITY?')
  })

  test('shows secrets on request only', async () => {
    const shown = await runCli(['config', 'print', '--show-secrets'], { env })
    expect(shown.stdout).toMatch(/HEDDLE_CLICKHOUSE_PASSWORD +file-secret +file/)
    const redacted = await runCli(['config', 'print', '--show-secrets', '--redact'], { env })
    expect(redacted.stdout).not.toContain('-secret')
  })
})
