import { type FocusEvent, type KeyboardEvent, useRef, useState } from 'react'
import { stringAt } from '../../client/browser/json-scan.ts'
import styles from './cell-editor.module.css'
import { kindOfJson } from './row-text.ts'

type Mode = 'text' | 'json'

interface Props {
  readonly label: string
  /** As it is spelled now; undefined where the row has no such value. */
  readonly json: string | undefined
  /** Undefined takes the value out of the row. */
  readonly onSave: (json: string | undefined) => void
  readonly onLeave: () => void
}

/** Edits a value in its place: a text as text, everything else as the JSON it is. What is not changed is not touched. */
export function CellEditor({ label, json, onSave, onLeave }: Props) {
  const isText = json === undefined || kindOfJson(json) === 'string'
  const [mode, setMode] = useState<Mode>(isText ? 'text' : 'json')
  const [text, setText] = useState(json === undefined ? '' : isText ? stringAt(json, 0) : json)
  const [isTouched, setTouched] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const trouble = mode === 'json' ? jsonTrouble(text) : undefined

  const save = (): void => {
    if (!isTouched) onLeave()
    else if (trouble === undefined) onSave(mode === 'text' ? JSON.stringify(text) : text.trim() || undefined)
  }
  const change = (next: string): void => {
    setText(next)
    setTouched(true)
  }
  const turn = (next: Mode): void => {
    if (next === mode) return
    setMode(next)
    setTouched(true)
    // The text of a string is what it spells, and the other way round.
    if (next === 'json' && !isSpelled(text)) setText(JSON.stringify(text))
    else if (next === 'text' && text.trim().startsWith('"') && jsonTrouble(text) === undefined) {
      setText(JSON.parse(text) as string)
    }
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation()
    if (event.key === 'Escape') {
      event.preventDefault()
      onLeave()
    } else if (event.key === 'Enter' && !event.shiftKey && event.target === field.current) {
      event.preventDefault()
      save()
    }
  }
  const onBlur = (event: FocusEvent): void => {
    if (!(event.relatedTarget instanceof Node) || box.current?.contains(event.relatedTarget) !== true) save()
  }
  return (
    <div ref={box} className={styles.editor} onKeyDown={onKeyDown} onBlur={onBlur}>
      <textarea
        ref={field}
        className={styles.field}
        data-mode={mode}
        aria-label={label}
        aria-invalid={trouble !== undefined}
        autoFocus
        rows={Math.min(12, Math.max(1, text.split('\n').length, Math.ceil(text.length / 48)))}
        value={text}
        onChange={(event) => change(event.target.value)}
        onFocus={(event) => event.target.select()}
      />
      <div className={styles.foot}>
        {(['text', 'json'] as const).map((each) => (
          <button
            key={each}
            type="button"
            className={styles.mode}
            aria-pressed={mode === each}
            onClick={() => turn(each)}
          >
            {each === 'text' ? 'Text' : 'JSON'}
          </button>
        ))}
        <span className={styles.hint} role="status" data-bad={trouble !== undefined || undefined}>
          {trouble ??
            (mode === 'json' && text.trim() === '' ? 'Takes the value away' : '↵ saves, Esc leaves')}
        </span>
      </div>
    </div>
  )
}

/** Whether a text is JSON of something other than a text: then it is taken as it is. */
function isSpelled(text: string): boolean {
  return text.trim() !== '' && jsonTrouble(text) === undefined
}

function jsonTrouble(text: string): string | undefined {
  if (text.trim() === '') return undefined
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : 'This is no JSON'
  }
}
