import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto'

/**
 * Password hashing with scrypt. The hash includes its cost parameters, so that they can be raised later. The cost is
 * OWASP's recommendation for 16 MiB of memory: about 0.3 s of one core, so callers cache the result.
 */
interface Cost {
  readonly N: number
  readonly r: number
  readonly p: number
}

const COST: Cost = { N: 2 ** 14, r: 8, p: 5 }
const HASH_BYTES = 32

/** Compared against if the user does not exist, so that the response takes as long as for a wrong password. */
const DUMMY_HASH = format(COST, Buffer.alloc(16), Buffer.alloc(HASH_BYTES))

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  return format(COST, salt, await derive(password, salt, COST))
}

export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  const { cost, salt, expected } = parse(hash === undefined || hash === '' ? DUMMY_HASH : hash)
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
    throw new Error('a stored password hash is corrupt')
  return {
    cost: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    expected,
  }
}

function derive(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  const options: ScryptOptions = { ...cost, maxmem: 256 * cost.N * cost.r }
  return new Promise((resolve, reject) => {
    // NFKC: input methods encode the same password differently.
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })
}
