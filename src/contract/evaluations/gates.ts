import { z } from 'zod'
import { datetime, recordId } from '../fields.ts'
import { operation } from '../operation.ts'
import { projectRequest } from '../project-path.ts'
import { comparison } from './comparison.ts'

/** Gates: whether a run is good enough to be released, compared with a baseline that is pinned on the server. */

/** Types of feedback on runs. */
export const BASELINE_FEEDBACK = 'heddle.baseline.1'
export const GATE_FEEDBACK = 'heddle.gate.1'

const scoreName = z.string().min(1).max(1_000)
const text = z.string().max(1_000)

const scoreRule = z.object({
  max_regression: z.number().min(0).nullish().meta({
    description:
      'How much worse than the baseline the score may be, in its own unit: 0.02 are 2 points of a share.',
  }),
  min: z.number().nullish().meta({ description: 'The score itself must be at least this.' }),
  max: z.number().nullish().meta({ description: 'The score itself must be at most this.' }),
  lower_is_better: z.boolean().nullish(),
})

export type ScoreRule = z.output<typeof scoreRule>

const quarantined = z.object({
  example: z.string().min(1).max(1_000).meta({ description: 'Digest of the dataset row.' }),
  until: z.iso
    .date()
    .meta({ description: 'The last day on which the example does not count, such as 2027-01-31.' }),
  reason: text.nullish(),
})

export const gateRules = z.object({
  max_regression: z.number().min(0).nullish().meta({
    description: 'For scores without one of their own. Default: 0.05 for shares, else 5 % of the baseline.',
  }),
  scores: z
    .record(scoreName, scoreRule)
    .nullish()
    .meta({ description: 'Rules by name of the score. If there are any, no other scores are checked.' }),
  quarantine: z.array(quarantined).max(10_000).nullish(),
})

export type GateRules = z.output<typeof gateRules>

const GATE_VERDICTS = ['pass', 'fail', 'not_enough_data'] as const
const verdict = z.enum(GATE_VERDICTS)
export type GateVerdict = z.output<typeof verdict>

const check = z.object({
  score: z.string(),
  rule: z.enum(['max_regression', 'min', 'max', 'missing']),
  limit: z.number().nullable(),
  verdict,
  text: z.string().meta({ description: 'The reason in words.' }),
  estimate: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
})

export type GateCheck = z.output<typeof check>

export const gateResult = z.object({
  verdict,
  run: z.string(),
  run_name: z.string(),
  baseline: z.string(),
  baseline_name: z.string(),
  evaluation: z.string(),
  checks: z.array(check),
  quarantined: z.int().meta({ description: 'Examples that did not count.' }),
  expired: z.array(z.string()).meta({ description: 'Quarantined examples that count again.' }),
})

export type GateResult = z.output<typeof gateResult>

const who = { user: z.string(), at: datetime }

const baselineRecord = z.object({ evaluation: z.string(), run: z.string(), ...who })
export type BaselineRecord = z.output<typeof baselineRecord>

const path = '/api/v1/projects/{entity}/{project}/evaluations'
const runName = z.string().min(1).max(1_000)

export const gateOperations = {
  evaluation_gate: operation({
    path: `${path}/gate`,
    summary: 'Decide by intervals whether a run is as good as a baseline, and record the decision.',
    access: 'write',
    errors: ['not_found', 'unprocessable'],
    request: projectRequest({
      run: runName.meta({ description: 'Call id or display name of the run; of several the newest.' }),
      baseline: runName.nullish().meta({
        description: 'The same for the baseline. Default: the baseline that is pinned for the evaluation.',
      }),
      rules: gateRules.nullish(),
    }),
    response: z.object({ result: gateResult, comparison }),
  }),
  evaluation_gates: operation({
    method: 'GET',
    path: `${path}/gates`,
    summary: 'List the decisions of gates, newest first.',
    access: 'read',
    request: projectRequest({}),
    response: z.object({ gates: z.array(z.object({ ...who, result: gateResult })) }),
  }),
  evaluation_baseline_set: operation({
    path: `${path}/baselines`,
    summary: 'Make a run the baseline of its evaluation.',
    access: 'write',
    errors: ['not_found'],
    request: projectRequest({ run: recordId }),
    response: baselineRecord,
  }),
  evaluation_baselines: operation({
    method: 'GET',
    path: `${path}/baselines`,
    summary:
      'List which runs were made baselines, by whom and when, newest first. The first of an evaluation is in force.',
    access: 'read',
    request: projectRequest({}),
    response: z.object({ baselines: z.array(baselineRecord) }),
  }),
}
