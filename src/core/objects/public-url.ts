import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** Whether the URL of a model provider leads to the public internet, by its text alone. The rules are Weave's. */
export function isPublicUrl(url: string): boolean {
  if (url.includes('?') || !URL.canParse(url)) return false
  // Also turns other spellings of an IPv4 address, such as 0x7f.1, into the usual one.
  const { protocol, hostname, hash } = new URL(url)
  if (!['http:', 'https:'].includes(protocol) || hash !== '') return false
  const host = hostname.replace(/\.$/, '')
  if (host === '' || LOCAL_NAME.test(host) || METADATA_NAME.test(host)) return false
  return !/^(?:\[|[\d.]+$)/.test(host) || isPublicAddress(host.replace(/^\[|\]$/g, ''))
}

/** Whether an IP address is assigned to hosts of the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !RESERVED.check(address, 'ipv4')
  return isIPv6(address) && PUBLIC.check(address, 'ipv6') && !RESERVED.check(address, 'ipv6')
}

const LOCAL_NAME = /^(?:localhost\.localdomain|ip6-localhost|ip6-loopback|(?:.+\.)?localhost)$/
const METADATA_NAME = /(?:^|\.)(?:metadata\.(?:google\.internal|goog|internal|azure\.com))$/

const RESERVED = blockList(
  'ipv4',
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3',
  blockList('ipv6', '2001::/23 2001:db8::/32 2002::/16 3fff::/20'),
)
/** The addresses of IPv6 that are assigned. */
const PUBLIC = blockList('ipv6', '2000::/3')

function blockList(family: 'ipv4' | 'ipv6', networks: string, list = new BlockList()): BlockList {
  for (const network of networks.split(' ')) {
    const [address = '', bits] = network.split('/')
    list.addSubnet(address, Number(bits), family)
  }
  return list
}
