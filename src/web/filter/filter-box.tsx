import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Project } from '../api/project.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { Icon } from '../ui/icon.tsx'
import type { TimeRange } from '../time/range.ts'
import { applyEdit, type EditedPart, filterParts, isPlainText } from './edit-filter.ts'
import { FilterChips } from './filter-chips.tsx'
import type { FilterInput } from './filter-input.ts'
import styles from './filter-box.module.css'
import { completionContext, parseFilter } from './parse.ts'
import { type Suggestion, suggest } from './suggest.ts'
import { useKnownValues } from './use-known-values.ts'

interface Props extends FilterInput {
  readonly project: Project
  readonly range: TimeRange
  readonly onApply: (input: FilterInput) => void
}

interface Edit {
  readonly part: EditedPart
  readonly draft: string
}

/**
 * Filter input with completion. Applied conditions are shown as chips that can be edited and removed one by one; what is
 * typed after them is a new condition. Text without an operator is a text search over all calls.
 */
export function FilterBox({ project, range, filter, text, onApply }: Props) {
  const [edit, setEdit] = useState<Edit>()
  const inputRef = useRef<HTMLInputElement>(null)
  const addCondition = (): void => setEdit({ part: 'new', draft: '' })
  useShortcuts('List', [{ keys: '/', label: 'Add filter', run: addCondition }])
  useEffect(() => {
    if (edit !== undefined) inputRef.current?.focus()
  }, [edit?.part])

  const submit = (draft: string): string | undefined => {
    const result = applyEdit({ filter, text }, edit?.part ?? 'new', draft)
    if (!result.ok) return result.reason
    setEdit(undefined)
    if (result.input.filter !== filter || result.input.text !== text) onApply(result.input)
    return undefined
  }
  const isEmpty = filter === undefined && text === undefined
  const hasChips = !isEmpty && (edit === undefined || edit.part === 'new' || partCount({ filter, text }) > 1)
  const { texts } = filterParts(filter)
  const last = texts.at(-1)
  return (
    <div className={styles.box} data-editing={edit !== undefined || undefined}>
      <span className="row faint">
        <Icon name={text === undefined ? 'filter' : 'search'} size={14} />
      </span>
      {hasChips && (
        <FilterChips
          filter={filter}
          text={text}
          edited={edit?.part}
          onApply={onApply}
          onEdit={(part, draft) => setEdit({ part, draft })}
        />
      )}
      {edit === undefined ? (
        <>
          <button type="button" className={styles.open} onClick={addCondition}>
            {isEmpty ? 'Filter or search: status = error, model = gpt-4o, or any text' : ''}
            <span className="visually-hidden">{isEmpty ? '' : 'Add filter'}</span>
          </button>
          {isEmpty ? (
            <kbd className={styles.key}>/</kbd>
          ) : (
            <IconButton
              icon="close"
              label="Clear filter"
              tooltip="Clear filter"
              size={22}
              onClick={() => onApply({})}
            />
          )}
        </>
      ) : (
        <Editor
          key={edit.part}
          project={project}
          range={range}
          draft={edit.draft}
          inputRef={inputRef}
          onDraft={(draft) => setEdit({ ...edit, draft })}
          onSubmit={submit}
          onCancel={() => setEdit(undefined)}
          onBackspace={
            edit.part === 'new' && last !== undefined
              ? () => setEdit({ part: texts.length - 1, draft: last })
              : undefined
          }
        />
      )}
    </div>
  )
}

function partCount({ filter, text }: FilterInput): number {
  return filterParts(filter).texts.length + (text === undefined ? 0 : 1)
}

interface EditorProps {
  readonly project: Project
  readonly range: TimeRange
  readonly draft: string
  readonly inputRef: React.RefObject<HTMLInputElement | null>
  readonly onDraft: (draft: string) => void
  /** Returns what is wrong with the draft, if it cannot be applied. */
  readonly onSubmit: (draft: string) => string | undefined
  readonly onCancel: () => void
  /** Called for Backspace in an empty input. */
  readonly onBackspace: (() => void) | undefined
}

function Editor({ project, range, draft, inputRef, onDraft, onSubmit, onCancel, ...props }: EditorProps) {
  const [caret, setCaret] = useState(draft.length)
  const [activeIndex, setActiveIndex] = useState(-1)
  const [error, setError] = useState<string>()
  // Unmounting blurs the input too, which must not apply the draft.
  const isDone = useRef(false)
  const listId = useId()
  const before = draft.slice(0, caret)
  const context = completionContext(before)
  const known = useKnownValues(project, range, context)
  const [isListClosed, setListClosed] = useState(false)
  const [initialDraft] = useState(draft)
  const suggestions = isListClosed ? [] : suggest(context, known)
  const parsed = parseFilter(draft)
  const isTextSearch = !parsed.ok && isPlainText(draft.trim()) && draft.trim() !== ''

  const change = (next: string, at: number): void => {
    onDraft(next)
    setCaret(at)
    setActiveIndex(-1)
    setError(undefined)
    setListClosed(false)
  }
  const acceptSuggestion = (suggestion: Suggestion): void => {
    const head = draft.slice(0, context.from) + suggestion.insert
    // At once: a caret that is set in a later frame would move below what is typed in between.
    flushSync(() => change(head + draft.slice(caret).trimStart(), head.length))
    inputRef.current?.focus()
    inputRef.current?.setSelectionRange(head.length, head.length)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const options = suggestions.length
    if (event.key === 'ArrowDown' && options > 0) setActiveIndex((activeIndex + 1) % options)
    else if (event.key === 'ArrowUp' && options > 0) setActiveIndex((activeIndex - 1 + options) % options)
    else if (event.key === 'Enter' || (event.key === 'Tab' && activeIndex >= 0)) {
      const suggestion = suggestions[activeIndex]
      if (suggestion !== undefined) acceptSuggestion(suggestion)
      else {
        const reason = onSubmit(draft)
        isDone.current = reason === undefined
        setError(reason)
      }
    } else if (event.key === 'Tab' && suggestions[0] !== undefined && draft !== '' && !event.shiftKey) {
      acceptSuggestion(suggestions[0])
    } else if (event.key === 'Backspace' && draft === '' && props.onBackspace !== undefined) {
      isDone.current = true
      props.onBackspace()
    } else if (event.key === 'Escape') {
      // First the suggestions: what was typed is not thrown away with them.
      if (draft !== initialDraft && error === undefined && suggestions.length > 0) setListClosed(true)
      else {
        isDone.current = true
        onCancel()
      }
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
        aria-invalid={error !== undefined}
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
          if (!isDone.current) setError(onSubmit(draft))
        }}
      />
      <div className={styles.dropdown}>
        {error !== undefined && (
          <p className={styles.error} role="alert">
            {capitalized(error)}.
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

function capitalized(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
