import { describe, expect, test } from 'vitest'
import { files, inlineCode, read, section, withoutComments } from './repository.ts'

/** Statements of the documentation that can be counted. */
const NUMBERS = [
  'no',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]

interface Package {
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
}

test('SECURITY.md states the number of packages', () => {
  const { dependencies, optionalDependencies } = JSON.parse(read('package.json')) as Package
  // One library for each platform, of which a machine gets one.
  const embedded = new Set(
    Object.keys(optionalDependencies).map((name) => name.replace(/^@chdb\/lib-.*/, '@chdb/lib')),
  )
  const stated = /(\w+) packages at run time, (\w+) more for the embedded/.exec(
    section(read('SECURITY.md'), '## Supply chain'),
  )
  expect(stated?.slice(1).map((word) => NUMBERS.indexOf(word.toLowerCase()))).toEqual([
    Object.keys(dependencies).length,
    embedded.size,
  ])
})

/**
 * The sources that open connections, each with what SECURITY.md must name; undefined for connections within the machine.
 * A new one needs a reason, and a line in SECURITY.md.
 */
const OUTGOING: Readonly<Record<string, string | undefined>> = {
  'src/app/backup/s3-request.ts': 'S3 storage',
  'src/app/models/model-connection.ts': 'model providers',
  'src/app/self-tracing.ts': 'OTEL_EXPORTER_OTLP_ENDPOINT',
  'src/cli/doctor/fetch-text.ts': 'heddle doctor',
  // The server that a data directory names.
  'src/cli/running-server.ts': undefined,
  // In the page, to its own origin.
  'src/client/browser/client.ts': undefined,
  'src/client/client.ts': 'servers that you name',
  // The embedded ClickHouse.
  'src/clickhouse/ping.ts': undefined,
  // To this server itself, when it stops.
  'src/http/connections.ts': undefined,
  // To the thread for large requests.
  'src/http/large-requests.ts': undefined,
  'src/store/database/clickhouse-client.ts': 'ClickHouse',
}

describe('outgoing connections', () => {
  test('are opened by a list of sources', () => {
    const sources = files.filter((file) => /^src\/(?!web\/).*(?<!\.test)\.ts$/.test(file))
    expect(sources.filter((file) => opensConnections(read(file)))).toEqual(Object.keys(OUTGOING).toSorted())
  })

  test('are those that SECURITY.md names', () => {
    const paragraph =
      /\*\*Outgoing connections\.\*\*[\s\S]*?(?=\n- \*\*)/.exec(read('SECURITY.md'))?.[0] ?? ''
    const text = paragraph.replaceAll(/\s+/g, ' ')
    for (const name of Object.values(OUTGOING)) if (name !== undefined) expect(text).toContain(name)
  })

  test.each([
    "const response = await fetch('https://example.com')",
    'const send = globalThis.fetch',
    "import { request } from 'node:https'",
    "import { type Server, get as read } from 'http'",
    "import http2 from 'node:http2'; http2.connect(url)",
    "import * as net from 'node:net'; net.createConnection(80)",
    "import tls from 'node:tls'; tls.connect(443)",
    "import { Agent } from 'undici'",
    "const net = await import('node:net')",
    "new WebSocket('wss://example.com')",
  ])('are found: %s', (source) => {
    expect(opensConnections(source)).toBe(true)
  })

  test.each([
    "// fetch('https://example.com')",
    'this.fetch(row)',
    "import { createServer, type Socket } from 'node:net'; createServer()",
    "import type { Agent } from 'node:https'",
    "import http2 from 'node:http2'; http2.createServer()",
    "import { ClickHouseError } from '@clickhouse/client'",
  ])('are not found where there are none: %s', (source) => {
    expect(opensConnections(source)).toBe(false)
  })
})

const OPENS = ['get', 'request', 'connect', 'createConnection', 'createSocket', 'Socket', 'Agent']
const CLIENTS = /^(?:undici|ws|axios|got|node-fetch|nodemailer)$/

function opensConnections(source: string): boolean {
  const code = withoutComments(source)
  const withoutStrings = code.replaceAll(/'(?:[^'\\\n]|\\.)*'/g, "''")
  if (
    /(?<![.\w#])fetch\(|globalThis\.fetch\b|\bnew (?:WebSocket|EventSource|XMLHttpRequest)\b/.test(
      withoutStrings,
    )
  )
    return true
  if (/(?:import|require)\('(?:node:)?(?:https?|http2|net|tls|dgram)'\)/.test(code)) return true
  return [...code.matchAll(/^import (?!type\b)([^;']+?) from '(?:node:)?([^']+)'/gm)].some(
    ([, imported = '', module = '']) => {
      if (CLIENTS.test(module)) return true
      if (module === '@clickhouse/client') return /\bcreateClient\b/.test(imported)
      if (module === '@grpc/grpc-js') return /\bmakeClientConstructor\b|\bgrpc\.Client\b/.test(code)
      if (!/^(?:https?|http2|net|tls|dgram)$/.test(module)) return false
      const names = /^\{([^}]*)\}/.exec(imported)?.[1]
      if (names !== undefined)
        return names.split(',').some((name) => OPENS.includes(name.trim().split(/\s+/)[0] ?? ''))
      const namespace = /(\w+)$/.exec(imported)?.[1] ?? ''
      return new RegExp(String.raw`\b${namespace}\.(?:${OPENS.join('|')})\b`).test(code)
    },
  )
}

describe('ARCHITECTURE.md', () => {
  const storage = section(read('ARCHITECTURE.md'), '## Storage')
  const schema = read('migrations/schema.sql')

  test('names every table of the schema, and no other', () => {
    const rows = storage.split('\n').filter((line) => line.startsWith('| `'))
    const named = rows.flatMap((row) => inlineCode(row.split('|')[1] ?? ''))
    const tables = [...schema.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, table = '']) => table)
    expect(named.toSorted()).toEqual(tables.toSorted())
  })

  test('states the number of materialized views', () => {
    const views = schema.match(/^CREATE MATERIALIZED VIEW/gm)?.length ?? 0
    const stated = /(\w+) materialized views fill/.exec(storage)?.[1]?.toLowerCase() ?? ''
    expect(NUMBERS.indexOf(stated)).toBe(views)
  })
})
