import { isIPv6 } from 'node:net'

/**
 * The network that limits per address count: an IPv4 address, or the /64 of an IPv6 address, because one host has all
 * addresses of its /64.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  return isIPv6(plain) ? `${firstGroups(plain).join(':')}::/64` : plain
}

/** The first four of the eight groups, without leading zeros. */
function firstGroups(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  // An IPv4 address at the end stands for two groups.
  const after = tail === undefined || tail === '' ? [] : tail.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0').split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  return [...before, ...(tail === undefined ? [] : zeros), ...after]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
}
