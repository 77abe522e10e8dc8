import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { JsonText } from '../../client/browser/json-text.ts'
import type { Project } from '../api/project.ts'
import { useCanWrite } from '../api/role.tsx'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { annotationType, type FeedbackRecord, REACTION, feedbackContent } from './feedback-record.ts'
import { NoteField } from './note-field.tsx'
import { Reactions } from './reactions.tsx'
import { FeedbackList } from './feedback-list.tsx'
import { ScoreCard } from './score-card.tsx'
import { choiceByKey, fieldChoices } from './score-field.ts'
import { ScoresHead } from './scores-head.tsx'
import { UndoToast } from './undo-toast.tsx'
import { useKeyBuffer } from './use-key-buffer.ts'
import { useFeedback } from './use-feedback.ts'
import { type ScoreSpec, useSpecs } from './use-specs.ts'

/** Lets the parent move the focus into the panel, also for keys pressed before the panel is shown. */
export interface FeedbackPanelHandle {
  readonly focusScores: () => void
  readonly focusNote: () => void
}

interface Props {
  readonly project: Project
  readonly callId: string
  /** The op of the call. Some scores apply only to certain ops. */
  readonly op: string
  /** The review queue that the call is annotated in, and the scores it asks for. An empty list means all scores. */
  readonly queue?: { readonly id: string; readonly scores: readonly string[] } | undefined
  readonly ref?: Ref<FeedbackPanelHandle>
}

/** The feedback panel of a call: reactions, scores, notes and the feedback list. It works with the keyboard alone. */
export function FeedbackPanel({ project, callId, op, queue, ref }: Props) {
  const feedback = useFeedback(project, callId, queue?.id)
  const specs = useSpecs(project)
  const activeSpecs = (specs.data ?? [])
    .filter((spec) => isActive(spec, op, queue?.scores ?? []))
    .sort((a, b) => Number(isTyped(a)) - Number(isTyped(b)))
  const panel = useRef<HTMLDivElement>(null)
  const noteRef = useRef<HTMLTextAreaElement>(null)
  const records = feedback.records ?? []

  const ownScore = (spec: ScoreSpec): FeedbackRecord | undefined =>
    feedback
      .currentRecords()
      .find((record) => record.feedback_type === annotationType(spec.object_id) && feedback.isOwn(record))
  const ownValue = (spec: ScoreSpec): string | undefined => {
    const record = ownScore(spec)
    const content = record && feedbackContent(record)
    return content?.kind === 'score' ? content.value : undefined
  }
  // Number keys act on this score: the selected one, otherwise the first without an answer.
  const [selected, setSelected] = useState<{ readonly callId: string; readonly object_id: string }>()
  const selectScore = (object_id: string): void => setSelected({ callId, object_id })
  const current =
    activeSpecs.find(({ object_id }) => selected?.callId === callId && object_id === selected.object_id) ??
    activeSpecs.find((spec) => ownValue(spec) === undefined) ??
    activeSpecs[0]
  const score = (spec: ScoreSpec, value: string | undefined): void => {
    const before = ownScore(spec)
    if (value === undefined) {
      if (before !== undefined) feedback.remove(before)
      return
    }
    if (value === ownValue(spec)) return
    const newFeedback = {
      feedback_type: annotationType(spec.object_id),
      annotation_ref: spec.ref,
      payload: new JsonText(`{"value":${value}}`),
    }
    if (before === undefined) feedback.add(newFeedback)
    else feedback.replace(before, newFeedback)
  }
  const react = (emoji: string): void => {
    const own = feedback.currentRecords().find((record) => {
      const content = feedbackContent(record)
      return content.kind === 'reaction' && content.emoji === emoji && feedback.isOwn(record)
    })
    if (own === undefined) feedback.add({ feedback_type: REACTION, payload: JsonText.of({ emoji }) })
    else feedback.remove(own)
  }

  const focusScore = (object_id: string): void => {
    selectScore(object_id)
    const card = panel.current?.querySelector(`[data-score="${CSS.escape(object_id)}"]`)
    card?.querySelector<HTMLElement>('[tabindex="0"], input, textarea')?.focus()
  }
  /** Selects the next unanswered score, and focuses it if the focus is already inside the panel. */
  const goToNextUnanswered = (from: ScoreSpec): void => {
    const at = activeSpecs.indexOf(from)
    const unanswered = [...activeSpecs.slice(at + 1), ...activeSpecs.slice(0, at)].find(
      (spec) => ownValue(spec) === undefined,
    )
    if (unanswered === undefined) return
    const hasFocus = panel.current?.contains(document.activeElement) === true
    if (hasFocus) focusScore(unanswered.object_id)
    else selectScore(unanswered.object_id)
  }
  const choose = (spec: ScoreSpec | undefined, key: string): void => {
    const choice = spec && choiceByKey(spec.field, key)
    if (spec === undefined || choice === undefined) return
    score(spec, choice.value)
    goToNextUnanswered(spec)
  }
  const passOrFail = (key: 'p' | 'f', emoji: string): void => {
    const spec = current?.field.kind === 'boolean' ? current : firstPassFailSpec(activeSpecs, ownValue)
    if (spec === undefined) react(emoji)
    else choose(spec, key)
  }
  const handleKey = (key: string): void => {
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
  // The user may ask for the scores before they are loaded. This effect must precede `useKeyBuffer`: the focus moves to
  // the first score, and the buffered keys continue from there.
  const isFocusPending = useRef(false)
  const focusScores = (): void => {
    isFocusPending.current = !specs.isSuccess
    if (!specs.isSuccess) return
    if (current !== undefined) focusScore(current.object_id)
    else panel.current?.querySelector<HTMLElement>('button')?.focus()
  }
  useEffect(() => {
    if (isFocusPending.current) focusScores()
  }, [specs.isSuccess])
  const canWrite = useCanWrite()
  const press = useKeyBuffer(callId, canWrite && specs.isSuccess && feedback.records !== undefined, handleKey)
  const onKey = ({ key }: KeyboardEvent): void => press(key)
  useShortcuts('Feedback', [
    { keys: 'p', label: 'Pass (👍 without a pass/fail score)', run: onKey },
    { keys: 'f', label: 'Fail (👎 without a pass/fail score)', run: onKey },
    { keys: '1 2 3 4 5 6 7 8 9 0', label: 'Choose an option of the selected score', run: onKey },
    { keys: 'Backspace', label: 'Clear the selected score', run: onKey },
    { keys: '+ =', label: 'Thumbs up', run: onKey },
    { keys: '-', label: 'Thumbs down', run: onKey },
  ])

  useImperativeHandle(ref, () => ({ focusScores, focusNote: () => noteRef.current?.focus() }))

  return (
    <section ref={panel} className="stack gap-12" aria-label="Feedback">
      {feedback.saveError !== null && (
        <UndoToast error={feedback.saveError} onClose={feedback.clearSaveError} />
      )}
      {!canWrite && (
        <p className="faint">You can read this project. Reviewing calls needs the role “write”.</p>
      )}
      {canWrite && (
        <>
          <Reactions records={records} isOwn={feedback.isOwn} onReact={react} />
          <ScoresHead project={project} hasScores={activeSpecs.length > 0} isReady={specs.isSuccess} />
          {activeSpecs.map((spec) => (
            <ScoreCard
              key={spec.object_id}
              spec={spec}
              value={ownValue(spec)}
              others={records.filter(
                (record) =>
                  record.feedback_type === annotationType(spec.object_id) && !feedback.isOwn(record),
              )}
              isCurrent={spec === current && !isTyped(spec)}
              onFocus={() => selectScore(spec.object_id)}
              onScore={(value) => score(spec, value)}
            />
          ))}
          <NoteField
            key={callId}
            draftKey={`note ${project.project_id} ${callId}`}
            ref={noteRef}
            onNote={(newFeedback) => feedback.add(newFeedback)}
          />
        </>
      )}
      {feedback.loadError !== null && feedback.records === undefined ? (
        <ErrorNotice error={feedback.loadError} />
      ) : (
        <FeedbackList
          records={feedback.records}
          specs={specs.data ?? []}
          isOwn={feedback.isOwn}
          onReplace={feedback.replace}
          onRemove={feedback.remove}
        />
      )}
    </section>
  )
}

/** Scores that are typed into a field. They come last, so that keys step through the others without entering a field. */
function isTyped({ field }: ScoreSpec): boolean {
  return fieldChoices(field) === undefined
}

function isActive(spec: ScoreSpec, op: string, scores: readonly string[]): boolean {
  if (spec.isArchived) return false
  if (scores.length > 0) return scores.includes(spec.object_id)
  // A scope lists op names, or refs to any version of an op.
  return spec.ops === undefined || spec.ops.some((each) => each === op || each.includes(`/op/${op}:`))
}

function firstPassFailSpec(
  specs: readonly ScoreSpec[],
  ownValue: (spec: ScoreSpec) => string | undefined,
): ScoreSpec | undefined {
  const passFailSpecs = specs.filter(({ field }) => field.kind === 'boolean')
  return passFailSpecs.find((spec) => ownValue(spec) === undefined) ?? passFailSpecs[0]
}
