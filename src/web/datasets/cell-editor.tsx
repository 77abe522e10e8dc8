import { type FocusEvent, type KeyboardEvent, useRef, useState } from 'react'
import { stringAt } from '../../client/browser/json-scan.ts'
import styles from './cell-editor.module.css'
import { jsonKind } from './row-text.ts'

type Mode = 'text' | 'json'

interface Props {
  readonly label: string
  /** The current JSON text; undefined if the row has no value in this column. */
  readonly json: string | undefined
  /** Undefined removes the value from the row. */
  readonly onSave: (json: string | undefined) => void
  readonly onCancel: () => void
}

/** The inline editor of a cell: strings as text, everything else as JSON. An unchanged value keeps its spelling. */
export function CellEditor({ label, json, onSave, onCancel }: Props) {
  const isText = json === undefined || jsonKind(json) === 'string'
  const [mode, setMode] = useState<Mode>(isText ? 'text' : 'json')
  const [text, setText] = useState(json === undefined ? '' : isText ? stringAt(json, 0) : json)
  const [isTouched, setTouched] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const editor = useRef<HTMLDivElement>(null)
  const invalidReason = mode === 'json' ? jsonError(text) : undefined

  const save = (): void => {
    if (!isTouched) onCancel()
    else if (invalidReason === undefined)
      onSave(mode === 'text' ? JSON.stringify(text) : text.trim() || undefined)
  }
  const change = (next: string): void => {
    setText(next)
    setTouched(true)
  }
  const switchMode = (next: Mode): void => {
    if (next === mode) return
    setMode(next)
    setTouched(true)
    // Switching converts between a string and its JSON literal.
    if (next === 'json' && !isNonEmptyJson(text)) setText(JSON.stringify(text))
    else if (next === 'text' && text.trim().startsWith('"') && jsonError(text) === undefined) {
      setText(JSON.parse(text) as string)
    }
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation()
    if (event.key === 'Escape') {
      event.preventDefault()
      onCancel()
    } else if (event.key === 'Enter' && !event.shiftKey && event.target === field.current) {
      event.preventDefault()
      save()
    }
  }
  const onBlur = (event: FocusEvent): void => {
    if (!(event.relatedTarget instanceof Node) || editor.current?.contains(event.relatedTarget) !== true)
      save()
  }
  return (
    <div ref={editor} className={styles.editor} onKeyDown={onKeyDown} onBlur={onBlur}>
      <textarea
        ref={field}
        className={styles.field}
        data-mode={mode}
        aria-label={label}
        aria-invalid={invalidReason !== undefined}
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
            onClick={() => switchMode(each)}
          >
            {each === 'text' ? 'Text' : 'JSON'}
          </button>
        ))}
        <span className={styles.hint} role="status" data-invalid={invalidReason !== undefined || undefined}>
          {invalidReason ??
            (mode === 'json' && text.trim() === '' ? 'Removes the value' : '↵ saves, Esc cancels')}
        </span>
      </div>
    </div>
  )
}

/** Whether the text is valid JSON, which is then kept as it is. */
function isNonEmptyJson(text: string): boolean {
  return text.trim() !== '' && jsonError(text) === undefined
}

function jsonError(text: string): string | undefined {
  if (text.trim() === '') return undefined
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : 'Invalid JSON'
  }
}
