import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto'

/**
 * Passwords are kept as scrypt hashes, with the cost in the text so that it can be raised later. The cost is the
 * one OWASP lists for 16 MiB of memory: about 0.3 s of one core, which is why results are remembered.
 */
interface Cost {
  readonly N: number
  readonly r: number
  readonly p: number
}

const COST: Cost = { N: 2 ** 14, r: 8, p: 5 }
const HASH_BYTES = 32

/** Compared against when there is no such user, so that the answer takes as long as a wrong password. */
const NOBODY = format(COST, Buffer.alloc(16), Buffer.alloc(HASH_BYTES))

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  return format(COST, salt, await derive(password, salt, COST))
}

export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  const { cost, salt, expected } = parse(hash === undefined || hash === '' ? NOBODY : hash)
  const actual = await derive(password, salt, cost)
  return timingSafeEqual(actual, expected) && hash !== undefined && hash !== ''
}

/** `scrypt:N:r:p:salt:hash` */
function format(cost: Cost, salt: Buffer, hash: Buffer): string {
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join(':')
}

function parse(text: string): { cost: Cost; salt: Buffer; expected: Buffer } {
  const [kind, N, r, p, salt = '', hash = ''] = text.split(':')
  const expected = Buffer.from(hash, 'base64url')
  if (kind !== 'scrypt' || expected.length !== HASH_BYTES)
    throw new Error('a stored password hash is damaged')
  return {
    cost: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    expected,
  }
}

function derive(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  const options: ScryptOptions = { ...cost, maxmem: 256 * cost.N * cost.r }
  return new Promise((settle, reject) => {
    // NFKC: the same password typed on another keyboard is the same password.
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, key) =>
      error === null ? settle(key) : reject(error),
    )
  })
}
