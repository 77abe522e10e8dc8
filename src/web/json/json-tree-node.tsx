import { memo, useEffect, useRef, useState } from 'react'
import { copyText } from '../ui/clipboard.ts'
import { formatBytes, formatCount } from '../ui/format.ts'
import { Highlighted } from '../ui/highlighted.tsx'
import { MediaView } from '../media/media-view.tsx'
import { RefLink } from '../ui/ref-link.tsx'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'

import { type JsonPath, queryPath } from './json-path.ts'
import type { JsonNode, JsonSource } from './json-source.ts'
import styles from './json-view.module.css'
import { useAsyncValue } from './use-async-value.ts'

interface Props {
  readonly source: JsonSource
  readonly node: JsonNode
  readonly name: string
  readonly path: JsonPath
  /** Number of levels that are expanded initially. */
  readonly initialDepth: number
  /** Path to the current search hit. Nodes on the path are expanded. */
  readonly matchPath: readonly JsonNode[]
  readonly searchText: string
}

/** Number of children shown per page. */
const PAGE_SIZE = 100

/** A JSON value with its expandable children. */
export const JsonTreeNode = memo(function JsonTreeNode(props: Props) {
  const { source, node, matchPath } = props
  const isContainer = node.kind === 'object' || node.kind === 'array'
  const [toggled, setToggled] = useState<boolean>()
  const [shownCount, setShownCount] = useState(PAGE_SIZE)
  const depth = props.path.length
  const indexOnPath = matchPath.findIndex(({ at }) => at === node.at)
  const isHit = indexOnPath !== -1 && indexOnPath === matchPath.length - 1
  const next = indexOnPath === -1 || isHit ? undefined : matchPath[indexOnPath + 1]
  // Values shown as an image or audio start collapsed.
  const isInitiallyExpanded = depth < props.initialDepth && node.media === undefined
  const isExpanded = isContainer && (next !== undefined || (toggled ?? isInitiallyExpanded))
  const visibleEnd = next === undefined ? shownCount : Math.max(shownCount, next.index + 1)
  // For a hit far into a long array, only the items around it are shown.
  const from = next !== undefined && next.index >= shownCount + PAGE_SIZE ? next.index - 10 : 0
  const children = useAsyncValue(
    () => (isExpanded ? source.children(node.at, from, Math.max(visibleEnd, from + PAGE_SIZE)) : undefined),
    [source, node.at, isExpanded, from, visibleEnd],
  )
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isHit) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isHit, matchPath])
  const [open, close] = node.kind === 'array' ? ['[', ']'] : ['{', '}']
  const remaining = children === undefined ? 0 : children.count - from - children.nodes.length
  return (
    <div>
      <div ref={row} className={styles.row} data-hit={isHit || undefined}>
        {isContainer ? (
          <button
            type="button"
            className={styles.toggle}
            aria-expanded={isExpanded}
            aria-label={`${nodeLabel(node) ?? props.name}: ${isExpanded ? 'collapse' : 'expand'}`}
            onClick={() => setToggled(!isExpanded)}
          >
            <Icon name={isExpanded ? 'chevronDown' : 'chevronRight'} size={12} />
          </button>
        ) : (
          <span className={styles.toggle} />
        )}
        <span className={styles.line}>
          {nodeLabel(node) !== undefined && (
            <span className={node.key === null ? 'faint' : styles.key}>
              <SearchHighlight text={nodeLabel(node) ?? ''} query={props.searchText} />
              <span className="faint">: </span>
            </span>
          )}
          {isContainer ? (
            <span className="soft">
              {isExpanded ? open : `${open}…${close}`}
              <span className="faint">
                {isExpanded && children !== undefined
                  ? ` ${formatCount(children.count)}`
                  : ` ${formatBytes(node.end - node.at)}`}
              </span>
            </span>
          ) : (
            <Scalar source={source} node={node} searchText={props.searchText} />
          )}
        </span>
        <RowActions {...props} />
      </div>
      {node.media !== undefined && (
        <div className={styles.media}>
          <MediaView media={node.media} source={source} label={queryPath(props.name, props.path)} />
        </div>
      )}
      {isExpanded && children !== undefined && (
        <div className={styles.children}>
          {from > 0 && <p className={styles.more}>{formatCount(from)} earlier items not shown</p>}
          {children.nodes.map((child) => (
            <JsonTreeNode
              key={child.at}
              source={source}
              node={child}
              name={props.name}
              path={[...props.path, child.key ?? child.index]}
              initialDepth={props.initialDepth}
              matchPath={child.at === next?.at ? matchPath : EMPTY}
              searchText={props.searchText}
            />
          ))}
          {remaining > 0 && (
            <button
              type="button"
              className={styles.more}
              onClick={() => setShownCount(visibleEnd + PAGE_SIZE)}
            >
              Show {formatCount(Math.min(PAGE_SIZE, remaining))} of {formatCount(remaining)} more
            </button>
          )}
        </div>
      )}
    </div>
  )
})

const EMPTY: readonly JsonNode[] = []

function nodeLabel(node: JsonNode): string | undefined {
  if (node.key !== null) return node.key
  return node.index >= 0 && node.at > 0 ? String(node.index) : undefined
}

/** Characters added per “show more”. */
const MORE_CHARACTERS = 50_000
const MEDIA_CHARACTERS = 60

function Scalar({ source, node, searchText }: Pick<Props, 'source' | 'node' | 'searchText'>) {
  const [maxCharacters, setMaxCharacters] = useState(0)
  const expandedText = useAsyncValue(
    () => (maxCharacters > 0 ? source.stringText(node.at, node.end, maxCharacters) : undefined),
    [source, node.at, maxCharacters],
  )
  if (node.kind !== 'string') {
    return (
      <span className={node.kind === 'number' ? styles.number : styles.word}>
        <SearchHighlight text={node.text} query={searchText} />
      </span>
    )
  }
  // Media shows only the start of its text, unless the user searches or expands it.
  const isMediaCollapsed = node.media !== undefined && maxCharacters === 0 && searchText === ''
  const text = expandedText ?? (isMediaCollapsed ? node.text.slice(0, MEDIA_CHARACTERS) : node.text)
  const isTruncated =
    (node.isTruncated && (expandedText === undefined || expandedText.length >= maxCharacters)) ||
    text.length < node.text.length
  return (
    <span className={styles.string}>
      <span className="isolate">
        <RefLink text={text}>
          <SearchHighlight text={text} query={searchText} />
        </RefLink>
      </span>
      {isTruncated && (
        <button
          type="button"
          className={styles.more}
          onClick={() => setMaxCharacters(maxCharacters + MORE_CHARACTERS)}
        >
          … show more of {formatBytes(node.end - node.at)}
        </button>
      )}
    </span>
  )
}

function SearchHighlight(props: { readonly text: string; readonly query: string }) {
  const text = visibleText(props.text)
  const query = props.query.trim().toLowerCase()
  if (query === '') return <>{text}</>
  const lower = text.toLowerCase()
  const ranges: [number, number][] = []
  for (let at = lower.indexOf(query); at !== -1 && ranges.length < 200; at = lower.indexOf(query, at + 1)) {
    ranges.push([at, at + query.length])
  }
  return <Highlighted text={text} ranges={ranges} />
}

/** Copy buttons of a row. Plain buttons, because hundreds of rows have two each. */
function RowActions({ source, node, name, path }: Props) {
  const [copied, setCopied] = useState<string>()
  useEffect(() => {
    if (copied === undefined) return undefined
    const timer = setTimeout(() => setCopied(undefined), 1200)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async (copiedPart: string, text: string | Promise<string>): Promise<void> => {
    try {
      await copyText(await text)
      setCopied(copiedPart)
    } catch {
      setCopied('failed')
    }
  }
  return (
    <span className={styles.actions} data-copied={copied !== undefined || undefined}>
      <button
        type="button"
        className={styles.action}
        aria-label={`Copy path of ${queryPath(name, path)}`}
        title="Copy path"
        onClick={() => void copy('path', queryPath(name, path))}
      >
        <Icon name={copied === 'path' ? 'check' : 'link'} size={12} />
      </button>
      <button
        type="button"
        className={styles.action}
        aria-label={`Copy value of ${queryPath(name, path)}`}
        title="Copy value"
        onClick={() => void copy('value', Promise.resolve(source.slice(node.at, node.end)))}
      >
        <Icon name={copied === 'value' ? 'check' : 'copy'} size={12} />
      </button>
    </span>
  )
}
