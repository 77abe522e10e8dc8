import type { Shard } from './topology.ts'

/**
 * Where a call is stored. Everything of a call is on one shard, chosen by project and id: of the shards of its generation,
 * the one with the highest score for this id (rendezvous hashing). A shard that is added takes over a part of the new ids
 * and moves no call, so an id has a candidate for each generation in which its choice changed. Most ids have one.
 */
export class Placement {
  readonly #shards: readonly Shard[]
  readonly #isGrown: boolean

  constructor(shards: readonly Shard[]) {
    this.#shards = shards
    this.#isGrown = shards.some(({ generation }) => generation > 1)
  }

  /** Whether an id can have more than one candidate. */
  get isGrown(): boolean {
    return this.#isGrown
  }

  /** The index of the shard of a call that is not stored yet. */
  newCall(project_id: string, id: string): number {
    return this.#best(project_id, id, ({ isJoining }) => !isJoining)
  }

  /** Indexes of all shards that may have the call; calls that exist on an earlier one stay there. */
  candidates(project_id: string, id: string): number[] {
    if (!this.#isGrown) return [this.newCall(project_id, id)]
    const found = new Set<number>()
    for (const generation of new Set(this.#shards.map((shard) => shard.generation)))
      found.add(this.#best(project_id, id, (shard) => shard.generation <= generation))
    return [...found]
  }

  #best(project_id: string, id: string, isEligible: (shard: Shard) => boolean): number {
    if (this.#shards.length === 1) return 0
    const hash = hashOf(id, hashOf(project_id, 0))
    let best = 0
    let highest = -1
    for (let index = 0; index < this.#shards.length; index++) {
      const shard = this.#shards[index]
      if (shard === undefined || !isEligible(shard)) continue
      const score = mix(hash ^ Math.imul(shard.number, 0x9e3779b1))
      if (score > highest) {
        highest = score
        best = index
      }
    }
    return best
  }
}

/** FNV-1a over UTF-16 code units. It is part of the storage format: it must never change. */
function hashOf(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash
}

/** The finalizer of MurmurHash3: every bit of the input affects every bit of the result. */
function mix(hash: number): number {
  let mixed = hash ^ (hash >>> 16)
  mixed = Math.imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = Math.imul(mixed, 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
