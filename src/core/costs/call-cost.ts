import type { CostExplanation, CostTerm } from '../../contract/costs/call-cost.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { totalsOf } from './cost.ts'
import { type Decimal, formatDecimal, minus, parseDecimal, plus, ZERO } from './decimal.ts'
import { pickPrice, type PriceBook, type PriceRow } from './prices.ts'
import { formatTime, type Micros } from '../time/time.ts'
import type { PricedTokens } from './usage.ts'

/** Tokens of one model at one moment, or of many calls while the prices were the same. */
export interface UsedTokens {
  readonly model: string
  readonly moment: Micros
  readonly tokens: PricedTokens
  /** What whoever was asked said that they cost. */
  readonly reported: Decimal | undefined
}

const KINDS = {
  prompt: ['plainPrompt', 'prompt', 'prompt_token_cost', 'prompt_token_cost_unit'],
  completion: ['completion', 'completion', 'completion_token_cost', 'completion_token_cost_unit'],
  cache_read: ['cacheRead', 'cacheRead', 'cache_read_input_token_cost', 'prompt_token_cost_unit'],
  cache_creation: [
    'cacheCreation',
    'cacheCreation',
    'cache_creation_input_token_cost',
    'prompt_token_cost_unit',
  ],
} as const

/** Tokens that were charged by one row of the price list. */
interface Charged {
  readonly model: string
  readonly price: PriceRow
  tokens: PricedTokens
}

/**
 * Every term of a sum of costs. `reported` replaces what the parts say they cost: a call may be told its cost as a
 * whole.
 */
export function explainCosts(
  used: readonly UsedTokens[],
  prices: PriceBook,
  reported?: Decimal,
): CostExplanation {
  const charged = new Map<string, Charged>()
  const unpriced = new Map<string, PricedTokens>()
  const compared = new Comparison(reported)
  for (const { model, moment, tokens, reported: told } of used) {
    const price = pickPrice(prices.get(model) ?? [], moment)
    compared.add(model, told, price === undefined ? undefined : costOf(tokens, price))
    if (price === undefined) {
      unpriced.set(model, added(unpriced.get(model), tokens))
      continue
    }
    const key = JSON.stringify([model, price.id])
    const known = charged.get(key)
    charged.set(key, { model, price, tokens: added(known?.tokens, tokens) })
  }
  const all = [...charged.values()].sort(byModelAndDate)
  const cost = all.reduce((sum, { tokens, price }) => plus(sum, costOf(tokens, price)), ZERO)
  return {
    terms: all.flatMap(termsOf),
    prices: [...new Map(all.map(({ price }) => [price.id, price])).values()].map(viewPrice),
    cost: decimal(cost),
    unpriced: [...unpriced].sort(([a], [b]) => (a < b ? -1 : 1)).map(viewUnpriced),
    reported: compared.view(),
  }
}

function byModelAndDate(a: Charged, b: Charged): number {
  if (a.model !== b.model) return a.model < b.model ? -1 : 1
  if (a.price.effective_date !== b.price.effective_date)
    return a.price.effective_date < b.price.effective_date ? -1 : 1
  return a.price.id < b.price.id ? -1 : 1
}

/** Only of what was reported: the rest would be a difference of its own. */
class Comparison {
  #whole: Decimal | undefined
  #reported: Decimal | undefined
  #computed = ZERO
  readonly #unpriced = new Set<string>()

  constructor(whole: Decimal | undefined) {
    this.#whole = whole
  }

  add(model: string, reported: Decimal | undefined, computed: Decimal | undefined): void {
    if (reported === undefined && this.#whole === undefined) return
    if (reported !== undefined) this.#reported = plus(this.#reported ?? ZERO, reported)
    if (computed === undefined) this.#unpriced.add(model)
    else this.#computed = plus(this.#computed, computed)
  }

  view(): CostExplanation['reported'] {
    const cost = this.#whole ?? this.#reported
    if (cost === undefined) return null
    return {
      cost: decimal(cost),
      computed: decimal(this.#computed),
      difference: decimal(minus(cost, this.#computed)),
      unpriced: [...this.#unpriced].sort(),
    }
  }
}

function termsOf({ model, price, tokens }: Charged): CostTerm[] {
  const totals = totalsOf(tokens, price)
  return Object.entries(KINDS).flatMap(([kind, [count, total, rate, unit]]) => {
    if (tokens[count] === 0n) return []
    const perToken = formatDecimal(parseDecimal(price[rate]) ?? ZERO)
    const cost = formatDecimal(totals[total])
    return [
      {
        model,
        kind: kind as CostTerm['kind'],
        tokens: integer(tokens[count]),
        cost_per_token: RawJson.fromText(perToken),
        cost: RawJson.fromText(cost),
        unit: price[unit],
        arithmetic: `${tokens[count]} × ${perToken} = ${cost}`,
        price_id: price.id,
      },
    ]
  })
}

function costOf(tokens: PricedTokens, price: PriceRow): Decimal {
  return Object.values(totalsOf(tokens, price)).reduce<Decimal>(plus, ZERO)
}

function added(a: PricedTokens | undefined, b: PricedTokens): PricedTokens {
  if (a === undefined) return b
  return {
    plainPrompt: a.plainPrompt + b.plainPrompt,
    completion: a.completion + b.completion,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheCreation: a.cacheCreation + b.cacheCreation,
  }
}

function viewPrice(price: PriceRow): CostExplanation['prices'][number] {
  return {
    id: price.id,
    llm_id: price.llm_id,
    provider_id: price.provider_id,
    effective_date: formatTime(price.effective_date),
    source: price.pricing_level === 'project' ? 'own' : 'default',
    created_by: price.created_by,
    created_at: formatTime(price.created_at),
  }
}

function viewUnpriced([model, tokens]: [string, PricedTokens]): CostExplanation['unpriced'][number] {
  return {
    model,
    prompt_tokens: integer(tokens.plainPrompt),
    completion_tokens: integer(tokens.completion),
    cache_read_input_tokens: integer(tokens.cacheRead),
    cache_creation_input_tokens: integer(tokens.cacheCreation),
  }
}

function decimal(value: Decimal): RawJson {
  return RawJson.fromText(formatDecimal(value))
}

function integer(value: bigint): RawJson {
  return RawJson.fromText(value.toString())
}
