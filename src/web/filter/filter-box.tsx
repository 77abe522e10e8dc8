import { ActionIcon, Tooltip } from '@mantine/core'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { Project } from '../api/project.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { Icon } from '../ui/icon.tsx'
import type { TimeRange } from '../time/range.ts'
import { FilterChips } from './filter-chips.tsx'
import styles from './filter-box.module.css'
import { fromQuery } from './from-query.ts'
import { expectedAt, parseFilter } from './parse.ts'
import { printFilter } from './print.ts'
import { type Suggestion, suggest } from './suggest.ts'
import { useKnownValues } from './use-known-values.ts'

export interface Asked {
  readonly filter?: string | undefined
  readonly text?: string | undefined
}

interface Props extends Asked {
  readonly project: Project
  readonly range: TimeRange
  readonly onAsk: (asked: Asked) => void
}

/**
 * Where conditions are written, as text that completes itself, and shown, as chips that can be taken away one by one. A
 * text without an operator is searched for anywhere in the calls.
 */
export function FilterBox({ project, range, filter, text, onAsk }: Props) {
  const [draft, setDraft] = useState<string>()
  const inputRef = useRef<HTMLInputElement>(null)
  const edit = (): void => setDraft(filter ?? '')
  useShortcuts('List', [{ keys: '/', label: 'Write a filter', run: edit }])
  useEffect(() => {
    if (draft !== undefined) inputRef.current?.focus()
  }, [draft === undefined])

  const submit = (written: string): boolean => {
    const asked = understand(written, text)
    if (asked === undefined) return false
    setDraft(undefined)
    onAsk(asked)
    return true
  }
  const isEmpty = filter === undefined && text === undefined
  return (
    <div className={styles.box} data-editing={draft !== undefined || undefined}>
      <span className={styles.icon}>
        <Icon name={text === undefined ? 'filter' : 'search'} size={14} />
      </span>
      {draft === undefined ? (
        <>
          <FilterChips filter={filter} text={text} onAsk={onAsk} onEdit={edit} />
          <button type="button" className={styles.open} onClick={edit}>
            {isEmpty ? 'Filter or search: status = error, inputs.model = gpt-4o, or any text' : ''}
            <span className="visually-hidden">{isEmpty ? '' : 'Edit the filter'}</span>
          </button>
          {isEmpty ? (
            <kbd className={styles.key}>/</kbd>
          ) : (
            <Tooltip label="Clear the filter">
              <ActionIcon size={22} aria-label="Clear the filter" onClick={() => onAsk({})}>
                <Icon name="close" size={12} />
              </ActionIcon>
            </Tooltip>
          )}
        </>
      ) : (
        <Editor
          project={project}
          range={range}
          draft={draft}
          inputRef={inputRef}
          onDraft={setDraft}
          onSubmit={submit}
          onCancel={() => setDraft(undefined)}
        />
      )}
    </div>
  )
}

/** undefined for what can be read neither as a filter nor as a text to search for. */
function understand(written: string, text: string | undefined): Asked | undefined {
  const trimmed = written.trim()
  const pasted = trimmed.startsWith('{') ? fromQuery(trimmed) : undefined
  if (pasted !== undefined) return { filter: printFilter(pasted), text }
  const parsed = parseFilter(trimmed)
  if (parsed.ok) return { filter: trimmed === '' ? undefined : printFilter(parsed.filter), text }
  return isPlainText(trimmed) ? { text: trimmed.replace(/^"(.*)"$/, '$1') } : undefined
}

function isPlainText(text: string): boolean {
  return /^"[^"]+"$/.test(text) || !/[=<>~()]/.test(text)
}

interface EditorProps {
  readonly project: Project
  readonly range: TimeRange
  readonly draft: string
  readonly inputRef: React.RefObject<HTMLInputElement | null>
  readonly onDraft: (draft: string) => void
  readonly onSubmit: (draft: string) => boolean
  readonly onCancel: () => void
}

function Editor({ project, range, draft, inputRef, onDraft, onSubmit, onCancel }: EditorProps) {
  const [caret, setCaret] = useState(draft.length)
  const [chosen, setChosen] = useState(-1)
  const [isRefused, setRefused] = useState(false)
  // The field loses the focus when it goes away, too: that is no reason to apply what was left.
  const isDone = useRef(false)
  const listId = useId()
  const before = draft.slice(0, caret)
  const expectation = expectedAt(before)
  const known = useKnownValues(project, range, expectation)
  const suggestions = suggest(expectation, known)
  const parsed = parseFilter(draft)
  const mayBeText = !parsed.ok && isPlainText(draft.trim()) && draft.trim() !== ''

  const change = (next: string, at: number): void => {
    onDraft(next)
    setCaret(at)
    setChosen(-1)
    setRefused(false)
  }
  const take = (suggestion: Suggestion): void => {
    const head = draft.slice(0, expectation.from) + suggestion.insert
    change(head + draft.slice(caret).trimStart(), head.length)
    requestAnimationFrame(() => {
      inputRef.current?.focus()
      inputRef.current?.setSelectionRange(head.length, head.length)
    })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const options = suggestions.length
    if (event.key === 'ArrowDown' && options > 0) setChosen((chosen + 1) % options)
    else if (event.key === 'ArrowUp' && options > 0) setChosen((chosen - 1 + options) % options)
    else if (event.key === 'Enter' || (event.key === 'Tab' && chosen >= 0)) {
      const suggestion = suggestions[chosen]
      if (suggestion !== undefined) take(suggestion)
      else {
        isDone.current = onSubmit(draft)
        setRefused(!isDone.current)
      }
    } else if (event.key === 'Tab' && suggestions[0] !== undefined && draft !== '' && !event.shiftKey) {
      take(suggestions[0])
    } else if (event.key === 'Escape') {
      isDone.current = true
      onCancel()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <>
      <input
        ref={inputRef}
        className={styles.input}
        role="combobox"
        aria-label="Filter"
        aria-expanded={suggestions.length > 0}
        aria-controls={listId}
        aria-activedescendant={chosen >= 0 ? `${listId}-${chosen}` : undefined}
        aria-invalid={isRefused}
        autoComplete="off"
        spellCheck={false}
        placeholder="status = error and latency > 2s"
        value={draft}
        onChange={(event) =>
          change(event.target.value, event.target.selectionStart ?? event.target.value.length)
        }
        onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? draft.length)}
        onKeyDown={onKeyDown}
        onBlur={() => {
          if (!isDone.current && !onSubmit(draft)) setRefused(true)
        }}
      />
      <div className={styles.dropdown}>
        {isRefused && !parsed.ok && (
          <p className={styles.trouble} role="alert">
            {parsed.reason}
          </p>
        )}
        {mayBeText && (
          <p className={styles.hint}>
            <kbd>↵</kbd> searches all calls for “{draft.trim()}”
          </p>
        )}
        <div id={listId} role="listbox" aria-label="Suggestions" className={styles.list}>
          {suggestions.map((suggestion, i) => (
            <div
              key={suggestion.id}
              id={`${listId}-${i}`}
              role="option"
              aria-selected={i === chosen}
              className={styles.option}
              // Before the field loses the focus, which would end the writing.
              onMouseDown={(event) => {
                event.preventDefault()
                take(suggestion)
              }}
            >
              <span className={styles.label}>{suggestion.label}</span>
              <span className={styles.about}>{suggestion.about}</span>
            </div>
          ))}
        </div>
        <p className={styles.foot}>
          <kbd>↵</kbd> apply · <kbd>Tab</kbd> complete · <kbd>Esc</kbd> leave · and, or, not, ( )
        </p>
      </div>
    </>
  )
}
