import { UNITS_PER_DOLLAR } from '../../core/models/spend-ledger.ts'
import { formatTime, laterTime } from '../../core/time/time.ts'
import { findBudget, writeBudget } from '../../store/models/spend.ts'
import type { Deps } from '../deps.ts'
import type { Handlers } from '../handler.ts'
import { Budgets } from './budget.ts'

/** Handlers for the budget of a project. */

const MICRO = 1_000_000

export function modelBudgetHandlers(deps: Deps): Pick<Handlers, 'model_budget_read' | 'model_budget_update'> {
  const { db, now } = deps
  const budgets = new Budgets(deps)
  const read = async (project_id: string) => {
    const [own, ledger] = await Promise.all([findBudget(db, project_id), budgets.ledger(project_id)])
    const limit = own?.limit_per_day ?? deps.modelBudget.defaultLimit
    return {
      dollars_per_day: limit === undefined ? null : dollars(limit),
      is_default: own === undefined,
      spent_today: dollars(ledger.settled),
      reserved_today: dollars(ledger.reserved),
    }
  }
  return {
    model_budget_read: ({ project_id }) => read(project_id),
    model_budget_update: async ({ project_id, dollars_per_day }, { username }) => {
      const existing = await findBudget(db, project_id)
      const changed_at = existing === undefined ? formatTime(now()) : laterTime(now(), existing.changed_at)
      const limit_per_day =
        (BigInt(Math.round((dollars_per_day ?? 0) * MICRO)) * UNITS_PER_DOLLAR) / BigInt(MICRO)
      const is_deleted = dollars_per_day === null ? 1 : 0
      await writeBudget(db, { project_id, limit_per_day, changed_by: username, changed_at, is_deleted })
      return read(project_id)
    },
  }
}

function dollars(units: bigint): number {
  return Number(units) / Number(UNITS_PER_DOLLAR)
}
