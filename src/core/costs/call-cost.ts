import type { CostExplanation, CostTerm } from '../../contract/costs/call-cost.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { tokenCosts } from './cost.ts'
import { type Decimal, formatDecimal, minus, parseDecimal, plus, ZERO } from './decimal.ts'
import { pickPrice, type PriceBook, type PriceRow } from './prices.ts'
import { formatTime, type Micros } from '../time/time.ts'
import type { PricedTokens } from './usage.ts'

/** Tokens of one model at one time, or of many calls with the same prices. */
export interface UsedTokens {
  readonly model: string
  readonly moment: Micros
  readonly tokens: PricedTokens
  /** Cost that the provider reported for them. */
  readonly reported: Decimal | undefined
}

const TERM_KINDS = {
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

/** Tokens charged at one price. */
interface ChargedTokens {
  readonly model: string
  readonly price: PriceRow
  tokens: PricedTokens
}

/**
 * Breaks costs down into terms of tokens and prices. `reported` replaces the reported costs of the parts, for a call
 * whose cost was reported as a whole.
 */
export function explainCosts(
  used: readonly UsedTokens[],
  prices: PriceBook,
  reported?: Decimal,
): CostExplanation {
  const charged = new Map<string, ChargedTokens>()
  const unpriced = new Map<string, PricedTokens>()
  const comparison = new ReportedComparison(reported)
  for (const { model, moment, tokens, reported: partCost } of used) {
    const price = pickPrice(prices.get(model) ?? [], moment)
    comparison.add(model, partCost, price === undefined ? undefined : totalCost(tokens, price))
    if (price === undefined) {
      unpriced.set(model, addTokens(unpriced.get(model), tokens))
      continue
    }
    const key = JSON.stringify([model, price.id])
    const known = charged.get(key)
    charged.set(key, { model, price, tokens: addTokens(known?.tokens, tokens) })
  }
  const all = [...charged.values()].sort(byModelAndDate)
  const cost = all.reduce((sum, { tokens, price }) => plus(sum, totalCost(tokens, price)), ZERO)
  return {
    terms: all.flatMap(costTerms),
    prices: [...new Map(all.map(({ price }) => [price.id, price])).values()].map(viewPrice),
    cost: rawDecimal(cost),
    unpriced: [...unpriced].sort(([a], [b]) => (a < b ? -1 : 1)).map(viewUnpriced),
    reported: comparison.view(),
  }
}

function byModelAndDate(a: ChargedTokens, b: ChargedTokens): number {
  if (a.model !== b.model) return a.model < b.model ? -1 : 1
  if (a.price.effective_date !== b.price.effective_date)
    return a.price.effective_date < b.price.effective_date ? -1 : 1
  return a.price.id < b.price.id ? -1 : 1
}

/** Compares reported and computed cost, over the tokens with a reported cost only. */
class ReportedComparison {
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
      cost: rawDecimal(cost),
      computed: rawDecimal(this.#computed),
      difference: rawDecimal(minus(cost, this.#computed)),
      unpriced: [...this.#unpriced].sort(),
    }
  }
}

function costTerms({ model, price, tokens }: ChargedTokens): CostTerm[] {
  const totals = tokenCosts(tokens, price)
  return Object.entries(TERM_KINDS).flatMap(([kind, [count, total, rate, unit]]) => {
    if (tokens[count] === 0n) return []
    const perToken = formatDecimal(parseDecimal(price[rate]) ?? ZERO)
    const cost = formatDecimal(totals[total])
    return [
      {
        model,
        kind: kind as CostTerm['kind'],
        tokens: rawInteger(tokens[count]),
        cost_per_token: RawJson.fromText(perToken),
        cost: RawJson.fromText(cost),
        unit: price[unit],
        arithmetic: `${tokens[count]} × ${perToken} = ${cost}`,
        price_id: price.id,
      },
    ]
  })
}

function totalCost(tokens: PricedTokens, price: PriceRow): Decimal {
  return Object.values(tokenCosts(tokens, price)).reduce<Decimal>(plus, ZERO)
}

function addTokens(a: PricedTokens | undefined, b: PricedTokens): PricedTokens {
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
    prompt_tokens: rawInteger(tokens.plainPrompt),
    completion_tokens: rawInteger(tokens.completion),
    cache_read_input_tokens: rawInteger(tokens.cacheRead),
    cache_creation_input_tokens: rawInteger(tokens.cacheCreation),
  }
}

function rawDecimal(value: Decimal): RawJson {
  return RawJson.fromText(formatDecimal(value))
}

function rawInteger(value: bigint): RawJson {
  return RawJson.fromText(value.toString())
}
