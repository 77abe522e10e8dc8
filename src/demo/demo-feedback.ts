import type { FeedbackCreate } from '../contract/feedback/feedback.ts'
import { RawJson } from '../contract/raw-json.ts'
import { formatRef } from '../contract/objects/ref.ts'
import { AGENT } from './agent.ts'
import { type Catalog, HELPFULNESS, MENTIONS } from './catalog.ts'
import { chatName } from './chats.ts'
import { predictKey, type Run, runName, scoreKey } from './evaluation.ts'
import { ROOT } from './steps.ts'

/** Feedback on the calls of the demo: reactions, notes, and the scores of the evaluation. */

const REACTIONS: readonly (readonly [number, string])[] = [
  [0, '👍'],
  [2, '👍'],
  [5, '👎'],
  [9, '👍'],
  [14, '🎉'],
  [18, '👎'],
  [23, '👍'],
  [27, '❤️'],
  [33, '👍'],
  [38, '🤔'],
]

const NOTES: readonly (readonly [number, string])[] = [
  [5, 'Does not say how long it takes: the prompt should ask for numbers.'],
  [11, 'Rate limit of the small model; check the retries.'],
  [18, 'Correct, but does not answer the question.'],
]

export function demoFeedback(catalog: Catalog, runs: readonly Run[]): FeedbackCreate[] {
  const { project_id, demoId } = catalog
  const callRef = (trace: string, key: string): string =>
    formatRef({ kind: 'call', project_id, id: demoId(trace, key), path: [] })

  const about = (weave_ref: string, feedback_type: string, payload: object): FeedbackCreate => ({
    project_id,
    id: demoId('feedback', weave_ref, feedback_type),
    weave_ref,
    feedback_type,
    payload: RawJson.fromValue(payload),
  })
  const scored = (
    run: number,
    row: number,
    scorer: string,
    runnable_ref: string,
    output: object,
  ): FeedbackCreate => ({
    ...about(callRef(runName(run), predictKey(row)), `wandb.runnable.${scorer}`, { output }),
    runnable_ref,
    call_ref: callRef(runName(run), scoreKey(scorer, row)),
  })
  return [
    about(callRef(AGENT, ROOT), 'wandb.reaction.1', { emoji: '🎉' }),
    about(callRef(AGENT, ROOT), 'wandb.note.1', {
      note: 'The carrier timed out, and the agent asked the warehouse instead. Well done.',
    }),
    ...REACTIONS.map(([n, emoji]) => about(callRef(chatName(n), ROOT), 'wandb.reaction.1', { emoji })),
    ...NOTES.map(([n, note]) => about(callRef(chatName(n), ROOT), 'wandb.note.1', { note })),
    ...runs.flatMap(({ trials }, run) =>
      trials.flatMap(({ correct, score }, row) => [
        scored(run, row, MENTIONS, catalog.opRef(MENTIONS), { correct }),
        scored(run, row, HELPFULNESS, catalog.helpfulness, { score }),
      ]),
    ),
  ]
}
