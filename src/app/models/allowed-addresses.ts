import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { isPublicAddress } from '../../core/objects/public-url.ts'

/** The addresses that requests to models may connect to: public ones, and those of the networks that the operator lists. */
export class AllowedAddresses {
  readonly #networks = new BlockList()

  /** `networks`: addresses and CIDR ranges, separated by commas. Throws for anything else. */
  constructor(networks: string | undefined) {
    for (const text of (networks ?? '').split(',').map((each) => each.trim())) {
      if (text !== '') this.#add(text)
    }
  }

  permits(address: string): boolean {
    const [plain = ''] = address.split('%')
    const family = isIPv4(plain) ? 'ipv4' : 'ipv6'
    return isPublicAddress(plain) || this.#networks.check(plain, family)
  }

  #add(text: string): void {
    const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
    const family = isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : undefined
    const maxBits = family === 'ipv4' ? 32 : 128
    if (family === undefined || Number(bits ?? 0) > maxBits)
      throw new Error(
        `HEDDLE_MODELS_ALLOWED_NETWORKS must have addresses and ranges such as 10.1.0.0/16, not "${text}"`,
      )
    this.#networks.addSubnet(address, Number(bits ?? maxBits), family)
  }
}
