import type { RawJson } from '../../contract/raw-json.ts'
import { BoundedMap } from '../../core/concurrency/bounded-map.ts'
import { outsideRequest } from '../../core/concurrency/request-scope.ts'
import { tokenCosts } from '../../core/costs/cost.ts'
import { compareDecimals, parseDecimal, plus, times, ZERO } from '../../core/costs/decimal.ts'
import { pickPrice, type PriceRow } from '../../core/costs/prices.ts'
import { tokensByModel } from '../../core/costs/usage.ts'
import { buildObject } from '../../core/json/object.ts'
import { SpendLedger, toUnits } from '../../core/models/spend-ledger.ts'
import { formatTime } from '../../core/time/time.ts'
import { findModelPrices } from '../../store/costs/model-prices.ts'
import { findBudget, listSpend, LOG_START, type SpendPosition, writeSpend } from '../../store/models/spend.ts'
import type { Deps } from '../deps.ts'
import { ModelError } from './model-connection.ts'

/** Budgets of projects per day (UTC): an amount is reserved before a request to a model, and settled after it. */

/** Evicted ones are read again from the start of the day. */
const MAX_LEDGERS = 1_000

type BudgetDeps = Pick<Deps, 'db' | 'now' | 'newId' | 'defaultPrices' | 'modelBudget'>

/** The most that a request can use. */
export interface LargestUsage {
  readonly model: string
  readonly promptTokens: number
  readonly completionTokens: number
}

export interface Reservation {
  /** Replaces the reserved amount by the cost. Without usage the amount stays: what the provider charges is unknown. */
  settle(usage: RawJson | undefined): Promise<void>
  /** The request costs nothing. */
  release(): Promise<void>
}

export class Budgets {
  readonly #deps: BudgetDeps
  readonly #logs = new BoundedMap<string, SpendLog>(MAX_LEDGERS)

  constructor(deps: BudgetDeps) {
    this.#deps = deps
  }

  /** In units of 10^-12 dollars; undefined: the project has no budget. */
  async limit(project_id: string): Promise<bigint | undefined> {
    const { db, modelBudget } = this.#deps
    return (await findBudget(db, project_id))?.limit_per_day ?? modelBudget.defaultLimit
  }

  async ledger(project_id: string): Promise<SpendLedger> {
    return this.#log(project_id).read()
  }

  /** Throws `ModelError` if the request does not fit into what is left of the day. */
  async reserve(project_id: string, limit: bigint, usage: LargestUsage): Promise<Reservation> {
    const { newId } = this.#deps
    const price = await this.#price(project_id, usage.model)
    const amount = largestCost(usage, price)
    const log = this.#log(project_id)
    // Refused requests leave nothing in the log, unless they ran into each other.
    if (log.ledger.total + amount > limit && (await log.read()).total + amount > limit) throw exceeded(limit)
    const id = newId()
    await log.add({ id, kind: 'reserve', amount, limit })
    if ((await log.read()).isGranted(id) !== true) throw exceeded(limit)
    const settle = (cost: bigint): Promise<void> => log.add({ id, kind: 'settle', amount: cost, limit })
    return {
      release: () => settle(0n),
      settle: async (reported) => {
        const cost = reported && reportedCost(reported, usage.model, price)
        if (cost !== undefined) await settle(cost)
      },
    }
  }

  async #price(project_id: string, model: string): Promise<PriceRow> {
    const prices = await findModelPrices(this.#deps, project_id, [model])
    const price = pickPrice(prices.get(model) ?? [], this.#deps.now())
    if (price !== undefined) return price
    throw new ModelError(
      `the project has a budget, and the model ${model} has no price; add one (POST /cost/create), 0 if it is free`,
      { status: 400, isFree: true },
    )
  }

  #log(project_id: string): SpendLog {
    const day = formatTime(this.#deps.now()).slice(0, 10)
    const key = `${day} ${project_id}`
    const existing = this.#logs.get(key)
    if (existing !== undefined) return existing
    const log = new SpendLog(this.#deps, project_id, day)
    this.#logs.set(key, log)
    return log
  }
}

function exceeded(limit: bigint): ModelError {
  const dollars = Number(limit) / 1e12
  return new ModelError(
    `the budget of the project, $${dollars} a day, is used up or reserved by other requests`,
    {
      status: 429,
      isFree: true,
    },
  )
}

/** The log of one project and day, read from where the last read ended. */
class SpendLog {
  #ledger = new SpendLedger()
  readonly #deps: BudgetDeps
  readonly #project_id: string
  readonly #day: string
  #position: SpendPosition = LOG_START
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(deps: BudgetDeps, project_id: string, day: string) {
    this.#deps = deps
    this.#project_id = project_id
    this.#day = day
  }

  /** As of the last read. */
  get ledger(): SpendLedger {
    return this.#ledger
  }

  async add(entry: Parameters<typeof writeSpend>[3]): Promise<void> {
    await writeSpend(this.#deps.db, this.#project_id, this.#day, entry)
  }

  /** Everything that was in the log when this was called. Concurrent readers share a read that begins after all their calls. */
  async read(): Promise<SpendLedger> {
    if (this.#running === undefined) await this.#start()
    else {
      this.#next ??= this.#running.catch(() => {}).then(() => this.#start())
      await this.#next
    }
    return this.#ledger
  }

  #start(): Promise<void> {
    this.#next = undefined
    this.#running = outsideRequest(() => this.#readRest()).finally(() => (this.#running = undefined))
    return this.#running
  }

  async #readRest(): Promise<void> {
    const { db, modelBudget } = this.#deps
    // Replicas do not show rows in the order of their numbers, so nothing that was read is final.
    const isWhole = modelBudget.isReplicated
    const ledger = isWhole ? new SpendLedger() : this.#ledger
    const rows = await listSpend(db, this.#project_id, this.#day, isWhole ? LOG_START : this.#position)
    for (const row of rows) ledger.add(row)
    const last = rows.at(-1)
    if (last !== undefined) this.#position = { block: last.block, offset: last.offset }
    this.#ledger = ledger
  }
}

/** Fits the column of the log, and is more than any budget. */
const MAX_AMOUNT = 2n ** 62n

function atMost(amount: bigint): bigint {
  return amount < MAX_AMOUNT ? amount : MAX_AMOUNT
}

function largestCost({ promptTokens, completionTokens }: LargestUsage, price: PriceRow): bigint {
  const [plain = ZERO, written = ZERO, completion = ZERO] = [
    price.prompt_token_cost,
    price.cache_creation_input_token_cost,
    price.completion_token_cost,
  ].map((text) => parseDecimal(text) ?? ZERO)
  const prompt = compareDecimals(plain, written) > 0 ? plain : written
  return atMost(
    toUnits(plus(times(prompt, BigInt(promptTokens)), times(completion, BigInt(completionTokens)))),
  )
}

function reportedCost(usage: RawJson, model: string, price: PriceRow): bigint | undefined {
  const tokens = tokensByModel(buildObject([[model, usage]])).get(model)
  if (tokens === undefined || tokens.prompt + tokens.completion === 0n) return undefined
  const cost = Object.values(tokenCosts(tokens, price)).reduce((sum, each) => sum + toUnits(each), 0n)
  // A provider that reports nonsense does not lower what was spent.
  return cost < 0n ? undefined : atMost(cost)
}
