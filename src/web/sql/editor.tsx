import { autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { sql, SQLDialect } from '@codemirror/lang-sql'
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import { isMac } from '../shortcuts/shortcuts.ts'
import styles from './sql-page.module.css'
import { VIEWS } from './views.ts'

interface Props {
  readonly text: string
  readonly onText: (text: string) => void
  readonly onRun: () => void
}

/** Imperative handle that inserts text, such as the name of a clicked column. */
export interface EditorHandle {
  insert: (text: string) => void
}

/** Uses CSS variables of the page, which are inherited by the shadow root. */
const THEME = EditorView.theme({
  '&': { fontSize: '13px', color: 'var(--ink)', backgroundColor: 'var(--surface)', height: '100%' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 14px' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground, ::selection': {
    backgroundColor: 'var(--accent-soft) !important',
  },
  '.cm-matchingBracket': { backgroundColor: 'var(--mark)', outline: 'none' },
  '.cm-tooltip': {
    border: '1px solid var(--line-strong)',
    borderRadius: '6px',
    backgroundColor: 'var(--surface)',
    boxShadow: 'var(--shadow)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--filled)', color: '#fff' },
})

const COLORS = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.keyword, color: 'var(--accent)', fontWeight: '550' },
    { tag: [tags.string, tags.special(tags.string)], color: 'var(--json-string)' },
    { tag: [tags.number, tags.bool, tags.null], color: 'var(--json-number)' },
    { tag: [tags.lineComment, tags.blockComment], color: 'var(--ink-3)', fontStyle: 'italic' },
    { tag: tags.operator, color: 'var(--ink-2)' },
    { tag: tags.typeName, color: 'var(--json-word)' },
  ]),
)

/** The ClickHouse dialect for SELECT statements, with the most common functions only. */
const CLICKHOUSE = SQLDialect.define({
  keywords:
    'select distinct from final sample array join inner left right full outer cross any all asof semi anti on using prewhere where group by with rollup cube totals having window order asc desc nulls first last fill limit offset ties union except intersect as and or not in between like ilike is null case when then else end interval over partition rows range unbounded preceding following current row exists cast',
  types:
    'UInt8 UInt16 UInt32 UInt64 Int8 Int16 Int32 Int64 Float32 Float64 Decimal String FixedString Date Date32 DateTime DateTime64 Array Tuple Map Nullable LowCardinality Bool UUID',
  builtin:
    'count countIf sum sumIf avg min max any argMin argMax uniq quantile quantiles median groupArray toDate toStartOfHour toStartOfDay toStartOfWeek toStartOfMonth toString toFloat64 toInt64 now today dateDiff formatDateTime JSONExtractString JSONExtractInt JSONExtractFloat JSONExtractBool JSONExtractRaw JSONHas length lower upper trim position match extract replaceRegexpAll splitByChar arrayElement arrayJoin if multiIf coalesce ifNull assumeNotNull round floor',
  backslashEscapes: true,
  doubleQuotedStrings: false,
  identifierQuotes: '`"',
})

const SCHEMA = Object.fromEntries(VIEWS.map(({ name, columns }) => [name, [...columns]]))

/**
 * CodeMirror in a shadow root. There it uses adopted style sheets. In the page it would add a style element, which the
 * content security policy blocks.
 */
export function Editor({ handle, ...props }: Props & { readonly handle: { current: EditorHandle | null } }) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const latest = useRef(props)
  latest.current = props
  useEffect(() => {
    const element = host.current
    if (element === null) return undefined
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    const parent = document.createElement('div')
    parent.style.height = '100%'
    root.append(parent)
    const editor = new EditorView({
      parent,
      root,
      state: EditorState.create({ doc: latest.current.text, extensions: editorExtensions(latest) }),
    })
    view.current = editor
    handle.current = {
      insert: (text) => {
        editor.dispatch(editor.state.replaceSelection(text))
        editor.focus()
      },
    }
    return () => {
      handle.current = null
      editor.destroy()
      parent.remove()
    }
  }, [])
  useEffect(() => {
    const editor = view.current
    if (editor === null || editor.state.doc.toString() === props.text) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: props.text } })
  }, [props.text])
  return (
    <div
      ref={host}
      className={styles.editor}
      // Shortcuts of the page do not see that an editor inside the shadow root has the focus, so plain keys stop here.
      onKeyDown={(event) => {
        if (!(isMac ? event.metaKey : event.ctrlKey)) event.nativeEvent.stopPropagation()
      }}
    />
  )
}

/**
 * When text replaces a selection, browsers keep the old formatting with an inline style, which the content security
 * policy blocks. So the selection is replaced here, before the browser does it.
 */
const REPLACE_SELECTION = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { data, inputType } = event
    if (inputType !== 'insertText' || data === null || view.composing) return false
    if (view.state.selection.main.empty) return false
    view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true })
    event.preventDefault()
    return true
  },
})

function editorExtensions(latest: { readonly current: Props }) {
  return [
    keymap.of([
      {
        key: 'Mod-Enter',
        preventDefault: true,
        // The page has the same shortcut, for when the editor is not focused.
        stopPropagation: true,
        run: () => {
          latest.current.onRun()
          return true
        },
      },
      ...completionKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
    history(),
    bracketMatching(),
    closeBrackets(),
    autocompletion({ icons: false }),
    sql({ dialect: CLICKHOUSE, schema: SCHEMA, upperCaseKeywords: true }),
    REPLACE_SELECTION,
    THEME,
    COLORS,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': 'SQL query', spellcheck: 'false' }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) latest.current.onText(update.state.doc.toString())
    }),
  ]
}
