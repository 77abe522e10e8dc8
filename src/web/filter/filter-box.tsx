import { ActionIcon, Tooltip } from '@mantine/core'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { Project } from '../api/project.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { Icon } from '../ui/icon.tsx'
import type { TimeRange } from '../time/range.ts'
import { FilterChips } from './filter-chips.tsx'
import type { FilterInput } from './filter-input.ts'
import styles from './filter-box.module.css'
import { fromQuery } from './from-query.ts'
import { completionContext, parseFilter } from './parse.ts'
import { printFilter } from './print.ts'
import { type Suggestion, suggest } from './suggest.ts'
import { useKnownValues } from './use-known-values.ts'

interface Props extends FilterInput {
  readonly project: Project
  readonly range: TimeRange
  readonly onApply: (input: FilterInput) => void
}

/**
 * Filter input with completion. Applied conditions are shown as chips that can be removed one by one. Text without an
 * operator is a text search over all calls.
 */
export function FilterBox({ project, range, filter, text, onApply }: Props) {
  const [draft, setDraft] = useState<string>()
  const inputRef = useRef<HTMLInputElement>(null)
  const edit = (): void => setDraft(filter ?? '')
  useShortcuts('List', [{ keys: '/', label: 'Edit filter', run: edit }])
  useEffect(() => {
    if (draft !== undefined) inputRef.current?.focus()
  }, [draft === undefined])

  const submit = (input: string): boolean => {
    const parsed = parseDraft(input, text)
    if (parsed === undefined) return false
    setDraft(undefined)
    onApply(parsed)
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
          <FilterChips filter={filter} text={text} onApply={onApply} onEdit={edit} />
          <button type="button" className={styles.open} onClick={edit}>
            {isEmpty ? 'Filter or search: status = error, inputs.model = gpt-4o, or any text' : ''}
            <span className="visually-hidden">{isEmpty ? '' : 'Edit filter'}</span>
          </button>
          {isEmpty ? (
            <kbd className={styles.key}>/</kbd>
          ) : (
            <Tooltip label="Clear filter">
              <ActionIcon size={22} aria-label="Clear filter" onClick={() => onApply({})}>
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

/** Parses a draft as API query, filter or search text; `undefined` if it is none of them. */
function parseDraft(input: string, text: string | undefined): FilterInput | undefined {
  const trimmed = input.trim()
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
  const [activeIndex, setActiveIndex] = useState(-1)
  const [isInvalid, setInvalid] = useState(false)
  // Unmounting blurs the input too, which must not apply the draft.
  const isDone = useRef(false)
  const listId = useId()
  const before = draft.slice(0, caret)
  const context = completionContext(before)
  const known = useKnownValues(project, range, context)
  const suggestions = suggest(context, known)
  const parsed = parseFilter(draft)
  const isTextSearch = !parsed.ok && isPlainText(draft.trim()) && draft.trim() !== ''

  const change = (next: string, at: number): void => {
    onDraft(next)
    setCaret(at)
    setActiveIndex(-1)
    setInvalid(false)
  }
  const acceptSuggestion = (suggestion: Suggestion): void => {
    const head = draft.slice(0, context.from) + suggestion.insert
    change(head + draft.slice(caret).trimStart(), head.length)
    requestAnimationFrame(() => {
      inputRef.current?.focus()
      inputRef.current?.setSelectionRange(head.length, head.length)
    })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const options = suggestions.length
    if (event.key === 'ArrowDown' && options > 0) setActiveIndex((activeIndex + 1) % options)
    else if (event.key === 'ArrowUp' && options > 0) setActiveIndex((activeIndex - 1 + options) % options)
    else if (event.key === 'Enter' || (event.key === 'Tab' && activeIndex >= 0)) {
      const suggestion = suggestions[activeIndex]
      if (suggestion !== undefined) acceptSuggestion(suggestion)
      else {
        isDone.current = onSubmit(draft)
        setInvalid(!isDone.current)
      }
    } else if (event.key === 'Tab' && suggestions[0] !== undefined && draft !== '' && !event.shiftKey) {
      acceptSuggestion(suggestions[0])
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
        aria-activedescendant={activeIndex >= 0 ? `${listId}-${activeIndex}` : undefined}
        aria-invalid={isInvalid}
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
          if (!isDone.current && !onSubmit(draft)) setInvalid(true)
        }}
      />
      <div className={styles.dropdown}>
        {isInvalid && !parsed.ok && (
          <p className={styles.error} role="alert">
            {parsed.reason}
          </p>
        )}
        {isTextSearch && (
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
              aria-selected={i === activeIndex}
              className={styles.option}
              // Handled on mouse down: a click would first blur the input and close the editor.
              onMouseDown={(event) => {
                event.preventDefault()
                acceptSuggestion(suggestion)
              }}
            >
              <span className={styles.label}>{suggestion.label}</span>
              <span className={styles.about}>{suggestion.about}</span>
            </div>
          ))}
        </div>
        <p className={styles.footer}>
          <kbd>↵</kbd> apply · <kbd>Tab</kbd> complete · <kbd>Esc</kbd> cancel · and, or, not, ( )
        </p>
      </div>
    </>
  )
}
