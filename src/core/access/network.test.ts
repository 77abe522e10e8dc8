import { expect, test } from 'vitest'
import { networkOf } from './network.ts'

test('an IPv4 address counts on its own, also when it is mapped into IPv6', () => {
  expect(['10.0.0.7', '::ffff:10.0.0.7', '::FFFF:10.0.0.7'].map(networkOf)).toEqual([
    '10.0.0.7',
    '10.0.0.7',
    '10.0.0.7',
  ])
})

test('all addresses of an IPv6 /64 count together', () => {
  const same = ['2001:db8:0:1::1', '2001:0db8:0:0001:ffff:ffff:ffff:ffff', '2001:DB8::1:0:0:0:9']
  expect(new Set(same.map(networkOf))).toEqual(new Set(['2001:db8:0:1::/64']))
  expect(networkOf('2001:db8:0:2::1')).toBe('2001:db8:0:2::/64')
  expect(['::1', '::', 'fe80::1%eth0', '64:ff9b::1.2.3.4'].map(networkOf)).toEqual([
    '0:0:0:0::/64',
    '0:0:0:0::/64',
    'fe80:0:0:0::/64',
    '64:ff9b:0:0::/64',
  ])
})
