import type { LookupAddress } from 'node:dns'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ModelError } from '../../service/models/model-connection.ts'
import { AllowedAddresses } from './allowed-addresses.ts'
import { createModelConnection } from './model-connection.ts'

let connections = 0
const server = createServer((_request, response) => response.end('{}'))
server.on('connection', () => connections++)
let port: number

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, resolve)
  })
  ;({ port } = server.address() as AddressInfo)
})
afterAll(() => server.close())

/** Names and what they resolve to, in turn. */
const NAMES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'private.example': [['10.0.0.1']],
  'loopback.example': [['127.0.0.1']],
  'loopback6.example': [['::1']],
  'mapped.example': [['::ffff:127.0.0.1']],
  'mixed.example': [['8.8.8.8', '127.0.0.1']],
  'mixed6.example': [['2606:4700::1111', 'fd00::1']],
  'metadata.example': [['169.254.169.254']],
  'local.example': [['fe80::1%lo']],
  'nat64.example': [['64:ff9b::7f00:1']],
  'empty.example': [[]],
  // Public when it is looked at, private when it is connected to.
  'rebinding.example': [['127.0.0.1'], ['8.8.8.8']],
}

function send(host: string, allowedNetworks?: string, seen: string[] = []): Promise<unknown> {
  const lookups = new Map<string, number>()
  const resolve = (
    name: string,
    _: { readonly all: true },
    done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
  ): void => {
    const turn = lookups.get(name) ?? 0
    lookups.set(name, turn + 1)
    seen.push(name)
    const addresses = NAMES[name]?.[turn] ?? ['127.0.0.1']
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  const connection = createModelConnection({ allowedNetworks, resolve })
  const url = new URL(host.includes('://') ? host : `http://${host}:${port}/v1`)
  return connection.send({ url, headers: {}, body: '{}', timeoutMs: 5_000, signal: undefined })
}

const LITERALS =
  `127.0.0.1 127.1 127.0.1 127.255.255.254 0.0.0.0 0 10.0.0.1 10.255.255.255 100.64.0.1 169.254.169.254 169.254.170.2
172.16.0.1 172.31.255.255 192.0.0.1 192.168.0.1 198.18.0.1 224.0.0.1 255.255.255.255 100.100.100.200
2130706433 0x7f000001 0x7f.1 017700000001 0177.0.0.1 0177.1 127.0.0.1. 0x7f.0x0.0x0.0x1 2852039166 0xa9fea9fe 025177524776
0251.0376.0251.0376 3232235521 167772161 %31%32%37.0.0.1 127。0。0。1 １２７.0.0.1 ①②⑦.⓪.⓪.①
[::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:a9fe:a9fe] [0:0:0:0:0:ffff:10.0.0.1] [::127.0.0.1] [64:ff9b::127.0.0.1]
[64:ff9b:1::1] [fe80::1] [fc00::1] [fd00:ec2::254] [ff02::1] [2002:7f00:1::] [2001::1] [2001:db8::1] [100::1] [3fff::1] [5f00::1]`.split(
    /\s+/,
  )

describe('addresses that are not public', () => {
  test('are more than sixty attempts', () => {
    expect(LITERALS.length + Object.keys(NAMES).length).toBeGreaterThanOrEqual(60)
  })

  test.each(LITERALS)('%s is refused', async (host) => {
    await expect(send(host)).rejects.toThrow(/connections to .* are not allowed/)
    expect(connections).toBe(0)
  })

  test.each(Object.keys(NAMES).filter((name) => name !== 'rebinding.example'))(
    'a name that resolves to them is refused: %s',
    async (host) => {
      await expect(send(host)).rejects.toThrow(/are not allowed|cannot be reached/)
      expect(connections).toBe(0)
    },
  )

  test.each([
    'http://user:pass@127.0.0.1',
    'https://127.0.0.1',
    'http://localhost',
    'file:///etc/passwd',
    'gopher://8.8.8.8',
    'ftp://8.8.8.8',
  ])('%s is refused', async (url) => {
    await expect(send(url)).rejects.toThrow(ModelError)
    expect(connections).toBe(0)
  })

  test('a name is resolved once: the address that was checked is the one that is used', async () => {
    const seen: string[] = []
    await expect(send('rebinding.example', undefined, seen)).rejects.toThrow(/127\.0\.0\.1.* are not allowed/)
    expect([seen, connections]).toEqual([['rebinding.example'], 0])
    await send('rebinding.example', '127.0.0.1', seen)
    expect([seen.length, connections]).toEqual([2, 1])
  })
})

test('networks that the operator lists are allowed, and no others', () => {
  const allowed = new AllowedAddresses('127.0.0.1, 10.1.0.0/16,fd00::/8')
  const permitted = ['127.0.0.1', '10.1.255.1', 'fd00::1', '8.8.8.8', '2606:4700::1111']
  expect(permitted.filter((address) => !allowed.permits(address))).toEqual([])
  const refused = ['127.0.0.2', '10.2.0.1', '::1', 'fe80::1', 'nonsense', '', '169.254.169.254']
  expect(refused.filter((address) => allowed.permits(address))).toEqual([])
  for (const text of ['10.0.0.0/33', 'localhost', '10.0.0.0/', '10.0.0.0/-1', '::/129'])
    expect(() => new AllowedAddresses(text)).toThrow(/HEDDLE_MODELS_ALLOWED_NETWORKS/)
})
