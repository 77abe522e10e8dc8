import { useMemo, useState } from 'react'
import { JsonIndex } from '../json/json-index.ts'
import type { JsonSource } from '../json/json-source.ts'
import { JsonTreeNode } from '../json/json-tree-node.tsx'
import { JsonView } from '../json/json-view.tsx'
import { useMarkdownMode } from '../markdown/markdown-mode.ts'
import { MediaView } from '../media/media-view.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { RefLink } from '../ui/ref-link.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { ConversationView } from './conversation-view.tsx'
import { LongText } from './long-text.tsx'
import { type PayloadValue, readPayload } from './payload-fields.ts'
import styles from './payload-view.module.css'

interface Props {
  readonly source: JsonSource
  readonly name: 'inputs' | 'output'
}

/** The inputs or the output of a call for people: texts, conversations and fields; as JSON if the reader prefers that. */
export function PayloadView({ source, name }: Props) {
  const { isRendered } = useMarkdownMode()
  const [isSearching, setSearching] = useState(false)
  const value = useReadable(source)
  if (!isRendered || isSearching || value === undefined || !(source instanceof JsonIndex))
    return <JsonView source={source} name={name} isSearching={isSearching} />
  return (
    <div className={styles.view}>
      <div className={styles.tools}>
        <IconButton
          icon="search"
          label={`Search in ${name}`}
          tooltip={`Search in ${name}`}
          size={24}
          onClick={() => setSearching(true)}
        />
      </div>
      <Value source={source} name={name} value={value} path={[]} />
    </div>
  )
}

/** Large documents, which a worker holds, stay JSON. */
export function useReadable(source: JsonSource): PayloadValue | undefined {
  return useMemo(() => (source instanceof JsonIndex ? readPayload(source) : undefined), [source])
}

interface ValueProps {
  readonly source: JsonIndex
  readonly name: string
  readonly value: PayloadValue
  readonly path: readonly string[]
}

function Value({ source, name, value, path }: ValueProps) {
  switch (value.kind) {
    case 'fields':
      return (
        <dl className={styles.fields}>
          {value.fields.map((field, i) => (
            <div key={i} className={styles.field}>
              <dt className="isolate">{visibleText(field.name)}</dt>
              <dd>
                <Value source={source} name={name} value={field.value} path={[...path, field.name]} />
              </dd>
            </div>
          ))}
        </dl>
      )
    case 'conversation':
      return (
        <ConversationView
          messages={value.messages}
          sources={{ inputs: value.source, output: value.source }}
        />
      )
    case 'text':
      return <Text source={source} value={value} />
    case 'scalar':
      return <code className={styles.scalar}>{visibleText(value.node.text)}</code>
    case 'media':
      return value.node.media === undefined ? null : (
        <MediaView media={value.node.media} source={source} label={[name, ...path].join('.')} />
      )
    case 'json':
      return (
        <JsonTreeNode
          source={source}
          // The label is beside it.
          node={{ ...value.node, key: null, index: -1 }}
          name={name}
          path={path}
          initialDepth={path.length + (value.node.end - value.node.at <= MAX_EXPANDED_CHARACTERS ? 2 : 0)}
          matchPath={[]}
          searchText=""
        />
      )
  }
}

const MAX_EXPANDED_CHARACTERS = 600

/** As many as a message of a conversation. */
const MAX_CHARACTERS = 20_000

function Text({
  source,
  value,
}: {
  readonly source: JsonIndex
  readonly value: PayloadValue & { kind: 'text' }
}) {
  const { at, end } = value.node
  const text = useMemo(() => source.stringText(at, end, MAX_CHARACTERS + 1), [source, at, end])
  if (text === '') return <span className="none">empty</span>
  if (text.startsWith('weave:///')) return <RefLink text={text}>{visibleText(text)}</RefLink>
  const isTruncated = text.length > MAX_CHARACTERS
  return <LongText text={text.slice(0, MAX_CHARACTERS)} isTruncated={isTruncated} />
}
