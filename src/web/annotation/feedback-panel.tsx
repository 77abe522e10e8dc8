import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { JsonText } from '../../client/browser/json-text.ts'
import type { Project } from '../api/project.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { Failure } from '../ui/failure.tsx'
import { annotationType, type FeedbackRecord, REACTION, saidIn } from './feedback-record.ts'
import styles from './feedback-panel.module.css'
import { NoteField } from './note-field.tsx'
import { Reactions } from './reactions.tsx'
import { SaidList } from './feedback-list.tsx'
import { ScoreCard } from './score-card.tsx'
import { choiceByKey, choicesOf } from './score-field.ts'
import { ScoresHead } from './scores-head.tsx'
import { Undone } from './undo-toast.tsx'
import { useEarlyKeys } from './use-early-keys.ts'
import { useFeedback } from './use-feedback.ts'
import { type ScoreSpec, useSpecs } from './use-specs.ts'

/** For keys that are pressed while the panel is not shown yet. */
export interface JudgingHandle {
  readonly focusScores: () => void
  readonly focusNote: () => void
}

interface Props {
  readonly project: Project
  readonly callId: string
  /** The op of the call: some scores are meant for certain ops. */
  readonly op: string
  /** The review queue in which the call is judged, and the scores that it asks for; none stands for all. */
  readonly queue?: { readonly id: string; readonly scores: readonly string[] } | undefined
  readonly ref?: Ref<JudgingHandle>
}

/** Everything that can be said of a call, and what was said: from the keyboard alone, if one likes. */
export function JudgingPanel({ project, callId, op, queue, ref }: Props) {
  const feedback = useFeedback(project, callId, queue?.id)
  const specs = useSpecs(project)
  const asked = (specs.data ?? [])
    .filter((spec) => isAsked(spec, op, queue?.scores ?? []))
    .sort((a, b) => Number(isWritten(a)) - Number(isWritten(b)))
  const panel = useRef<HTMLDivElement>(null)
  const noteRef = useRef<HTMLTextAreaElement>(null)
  const records = feedback.records ?? []

  const ownScore = (spec: ScoreSpec): FeedbackRecord | undefined =>
    feedback
      .recordsNow()
      .find((record) => record.feedback_type === annotationType(spec.object_id) && feedback.mine(record))
  const ownValue = (spec: ScoreSpec): string | undefined => {
    const record = ownScore(spec)
    const said = record && saidIn(record)
    return said?.kind === 'score' ? said.value : undefined
  }
  // The score that digits choose for: where somebody is, else the first that has no answer.
  const [chosen, setMarked] = useState<{ readonly callId: string; readonly object_id: string }>()
  const setChosen = (object_id: string): void => setMarked({ callId, object_id })
  const current =
    asked.find(({ object_id }) => chosen?.callId === callId && object_id === chosen.object_id) ??
    asked.find((spec) => ownValue(spec) === undefined) ??
    asked[0]
  const score = (spec: ScoreSpec, value: string | undefined): void => {
    const before = ownScore(spec)
    if (value === undefined) {
      if (before !== undefined) feedback.remove(before)
      return
    }
    if (value === ownValue(spec)) return
    const saying = {
      feedback_type: annotationType(spec.object_id),
      annotation_ref: spec.ref,
      payload: new JsonText(`{"value":${value}}`),
    }
    if (before === undefined) feedback.say(saying)
    else feedback.replace(before, saying)
  }
  const react = (emoji: string): void => {
    const own = feedback.recordsNow().find((record) => {
      const said = saidIn(record)
      return said.kind === 'reaction' && said.emoji === emoji && feedback.mine(record)
    })
    if (own === undefined) feedback.say({ feedback_type: REACTION, payload: JsonText.of({ emoji }) })
    else feedback.remove(own)
  }

  const focusScore = (object_id: string): void => {
    setChosen(object_id)
    const card = panel.current?.querySelector(`[data-score="${CSS.escape(object_id)}"]`)
    card?.querySelector<HTMLElement>('[tabindex="0"], input, textarea')?.focus()
  }
  /** On to the next score that has no answer; the focus goes along if it is in the panel. */
  const goOn = (from: ScoreSpec): void => {
    const at = asked.indexOf(from)
    const open = [...asked.slice(at + 1), ...asked.slice(0, at)].find((spec) => ownValue(spec) === undefined)
    if (open === undefined) return
    const isWithin = panel.current?.contains(document.activeElement) === true
    if (isWithin) focusScore(open.object_id)
    else setChosen(open.object_id)
  }
  const choose = (spec: ScoreSpec | undefined, key: string): void => {
    const choice = spec && choiceByKey(spec.field, key)
    if (spec === undefined || choice === undefined) return
    score(spec, choice.value)
    goOn(spec)
  }
  const passOrFail = (key: 'p' | 'f', emoji: string): void => {
    const yesNo = current?.field.kind === 'boolean' ? current : firstOpen(asked, ownValue)
    if (yesNo === undefined) react(emoji)
    else choose(yesNo, key)
  }
  const act = (key: string): void => {
    switch (key) {
      case 'p':
        return passOrFail('p', '👍')
      case 'f':
        return passOrFail('f', '👎')
      case 'Backspace':
        if (current !== undefined) score(current, undefined)
        return
      case '+':
      case '=':
        return react('👍')
      case '-':
        return react('👎')
      default:
        choose(current, key)
    }
  }
  // A key may ask for the scores before they are known. (This stands before the keys that came early: the focus goes to
  // the first score, and they go on from there.)
  const wantsScores = useRef(false)
  const focusScores = (): void => {
    wantsScores.current = !specs.isSuccess
    if (!specs.isSuccess) return
    if (current !== undefined) focusScore(current.object_id)
    else panel.current?.querySelector<HTMLElement>('button')?.focus()
  }
  useEffect(() => {
    if (wantsScores.current) focusScores()
  }, [specs.isSuccess])
  const press = useEarlyKeys(callId, specs.isSuccess && feedback.records !== undefined, act)
  const onKey = ({ key }: KeyboardEvent): void => press(key)
  useShortcuts('Judging', [
    { keys: 'p', label: 'Pass (or 👍, if no score asks)', run: onKey },
    { keys: 'f', label: 'Fail (or 👎, if no score asks)', run: onKey },
    { keys: '1 2 3 4 5 6 7 8 9 0', label: 'Choose an option of the marked score', run: onKey },
    { keys: 'Backspace', label: 'Take the marked score back', run: onKey },
    { keys: '+ =', label: 'Thumbs up', run: onKey },
    { keys: '-', label: 'Thumbs down', run: onKey },
  ])

  useImperativeHandle(ref, () => ({ focusScores, focusNote: () => noteRef.current?.focus() }))

  return (
    <section ref={panel} className={styles.panel} aria-label="Judging">
      {feedback.error !== null && <Undone error={feedback.error} onClose={feedback.forgetError} />}
      <Reactions records={records} mine={feedback.mine} onReact={react} />
      <ScoresHead project={project} hasScores={asked.length > 0} isReady={specs.isSuccess} />
      {asked.map((spec) => (
        <ScoreCard
          key={spec.object_id}
          spec={spec}
          value={ownValue(spec)}
          others={records.filter(
            (record) => record.feedback_type === annotationType(spec.object_id) && !feedback.mine(record),
          )}
          isCurrent={spec === current && !isWritten(spec)}
          onFocus={() => setChosen(spec.object_id)}
          onScore={(value) => score(spec, value)}
        />
      ))}
      <NoteField key={callId} ref={noteRef} onNote={(saying) => feedback.say(saying)} />
      {feedback.unread !== null && feedback.records === undefined ? (
        <Failure error={feedback.unread} />
      ) : (
        <SaidList
          records={feedback.records}
          specs={specs.data ?? []}
          mine={feedback.mine}
          onReplace={feedback.replace}
          onRemove={feedback.remove}
        />
      )}
    </section>
  )
}

/** Those stand last: keys go through the others without stopping in a field. */
function isWritten({ field }: ScoreSpec): boolean {
  return choicesOf(field) === undefined
}

function isAsked(spec: ScoreSpec, op: string, scores: readonly string[]): boolean {
  if (scores.length > 0) return scores.includes(spec.object_id)
  // A scope names ops by their name or by a ref of any version.
  return spec.ops === undefined || spec.ops.some((each) => each === op || each.includes(`/op/${op}:`))
}

function firstOpen(
  asked: readonly ScoreSpec[],
  ownValue: (spec: ScoreSpec) => string | undefined,
): ScoreSpec | undefined {
  const yesNo = asked.filter(({ field }) => field.kind === 'boolean')
  return yesNo.find((spec) => ownValue(spec) === undefined) ?? yesNo[0]
}
