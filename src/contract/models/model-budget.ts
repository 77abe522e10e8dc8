import { z } from 'zod'
import { operation } from '../operation.ts'
import { projectRequest } from '../project-path.ts'

/** Operations on what a project may spend on models. */

const path = '/api/v1/projects/{entity}/{project}/model_budget'

const dollars = z.number().min(0).max(1_000_000).nullable()

const budget = z.object({
  dollars_per_day: dollars.meta({
    description: 'What model requests may cost in a day (UTC); null: no limit.',
  }),
  is_default: z.boolean().meta({ description: "Whether it is the server's setting." }),
  spent_today: z.number().meta({ description: 'Dollars. Counted only while there is a budget.' }),
  reserved_today: z
    .number()
    .meta({ description: 'Dollars, for requests that are running, and those whose cost is unknown.' }),
})

export const modelBudgetOperations = {
  model_budget_read: operation({
    method: 'GET',
    path,
    summary: 'Read what the model requests of a project may cost in a day, and what is spent.',
    access: 'read',
    request: projectRequest({}),
    response: budget,
  }),
  model_budget_update: operation({
    method: 'PUT',
    path,
    summary:
      "Set what the model requests of a project may cost in a day; null returns to the server's setting.",
    access: 'admin',
    request: projectRequest({ dollars_per_day: dollars }),
    response: budget,
  }),
}
