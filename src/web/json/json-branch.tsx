import { memo, useEffect, useRef, useState } from 'react'
import { copyText } from '../ui/clipboard.ts'
import { formatBytes, formatCount } from '../ui/format.ts'
import { Highlighted } from '../ui/highlighted.tsx'
import { MediaView } from '../media/media-view.tsx'
import { RefLink } from '../objects/ref-link.tsx'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import type { JsonNode } from './json-index.ts'
import { type JsonPath, queryPath } from './json-path.ts'
import type { JsonSource } from './json-source.ts'
import styles from './json-view.module.css'
import { useAnswer } from './use-response.ts'

interface Props {
  readonly source: JsonSource
  readonly node: JsonNode
  readonly name: string
  readonly path: JsonPath
  /** How many levels are open from the start. */
  readonly opensTo: number
  /** Values that lead to a hit; those of them that are below this one are opened. */
  readonly found: readonly JsonNode[]
  readonly searched: string
}

/** So many children are shown at a time. */
const STEP = 100

/** A value and, when it is opened, what lies in it. */
export const JsonBranch = memo(function JsonBranch(props: Props) {
  const { source, node, found } = props
  const isContainer = node.kind === 'object' || node.kind === 'array'
  const [chosen, setChosen] = useState<boolean>()
  const [shown, setShown] = useState(STEP)
  const depth = props.path.length
  const onWay = found.findIndex(({ at }) => at === node.at)
  const isHit = onWay !== -1 && onWay === found.length - 1
  const next = onWay === -1 || isHit ? undefined : found[onWay + 1]
  // What is shown as an image or a sound says more closed.
  const isOpenAtFirst = depth < props.opensTo && node.media === undefined
  const isOpen = isContainer && (next !== undefined || (chosen ?? isOpenAtFirst))
  const wanted = next === undefined ? shown : Math.max(shown, next.index + 1)
  // Far into a long list only what is around the hit is shown.
  const from = next !== undefined && next.index >= shown + STEP ? next.index - 10 : 0
  const children = useAnswer(
    () => (isOpen ? source.children(node.at, from, Math.max(wanted, from + STEP)) : undefined),
    [source, node.at, isOpen, from, wanted],
  )
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isHit) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isHit, found])
  const [open, close] = node.kind === 'array' ? ['[', ']'] : ['{', '}']
  const left = children === undefined ? 0 : children.count - from - children.nodes.length
  return (
    <div className={styles.branch}>
      <div ref={row} className={styles.row} data-hit={isHit || undefined}>
        {isContainer ? (
          <button
            type="button"
            className={styles.toggle}
            aria-expanded={isOpen}
            aria-label={`${labelOf(node) ?? props.name}: ${isOpen ? 'close' : 'open'}`}
            onClick={() => setChosen(!isOpen)}
          >
            <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={12} />
          </button>
        ) : (
          <span className={styles.toggle} />
        )}
        <span className={styles.line}>
          {labelOf(node) !== undefined && (
            <span className={node.key === null ? styles.index : styles.key}>
              <Searched text={labelOf(node) ?? ''} searched={props.searched} />
              <span className={styles.colon}>: </span>
            </span>
          )}
          {isContainer ? (
            <span className={styles.bracket}>
              {isOpen ? open : `${open}…${close}`}
              <span className={styles.size}>
                {isOpen && children !== undefined
                  ? ` ${formatCount(children.count)}`
                  : ` ${formatBytes(node.end - node.at)}`}
              </span>
            </span>
          ) : (
            <Scalar source={source} node={node} searched={props.searched} />
          )}
        </span>
        <RowActions {...props} />
      </div>
      {node.media !== undefined && (
        <div className={styles.media}>
          <MediaView media={node.media} source={source} label={queryPath(props.name, props.path)} />
        </div>
      )}
      {isOpen && children !== undefined && (
        <div className={styles.children}>
          {from > 0 && <p className={styles.more}>{formatCount(from)} before these</p>}
          {children.nodes.map((child) => (
            <JsonBranch
              key={child.at}
              source={source}
              node={child}
              name={props.name}
              path={[...props.path, child.key ?? child.index]}
              opensTo={props.opensTo}
              found={child.at === next?.at ? found : EMPTY}
              searched={props.searched}
            />
          ))}
          {left > 0 && (
            <button type="button" className={styles.more} onClick={() => setShown(wanted + STEP)}>
              Show {formatCount(Math.min(STEP, left))} more of {formatCount(left)}
            </button>
          )}
        </div>
      )}
    </div>
  )
})

const EMPTY: readonly JsonNode[] = []

function labelOf(node: JsonNode): string | undefined {
  if (node.key !== null) return node.key
  return node.index >= 0 && node.at > 0 ? String(node.index) : undefined
}

/** Characters that one press shows more. */
const MORE_CHARACTERS = 50_000
const MEDIA_CHARACTERS = 60

function Scalar({ source, node, searched }: Pick<Props, 'source' | 'node' | 'searched'>) {
  const [most, setMost] = useState(0)
  const longer = useAnswer(
    () => (most > 0 ? source.stringText(node.at, node.end, most) : undefined),
    [source, node.at, most],
  )
  if (node.kind !== 'string') {
    return (
      <span className={node.kind === 'number' ? styles.number : styles.word}>
        <Searched text={node.text} searched={searched} />
      </span>
    )
  }
  // Of media only the head says something to a reader, unless it is searched for or asked for.
  const isFolded = node.media !== undefined && most === 0 && searched === ''
  const text = longer ?? (isFolded ? node.text.slice(0, MEDIA_CHARACTERS) : node.text)
  const isCut =
    (node.isCut && (longer === undefined || longer.length >= most)) || text.length < node.text.length
  return (
    <span className={styles.string}>
      <span className="foreign">
        <RefLink text={text}>
          <Searched text={text} searched={searched} />
        </RefLink>
      </span>
      {isCut && (
        <button type="button" className={styles.more} onClick={() => setMost(most + MORE_CHARACTERS)}>
          … show more of {formatBytes(node.end - node.at)}
        </button>
      )}
    </span>
  )
}

function Searched(props: { readonly text: string; readonly searched: string }) {
  const text = visibleText(props.text)
  const wanted = props.searched.trim().toLowerCase()
  if (wanted === '') return <>{text}</>
  const lower = text.toLowerCase()
  const ranges: [number, number][] = []
  for (let at = lower.indexOf(wanted); at !== -1 && ranges.length < 200; at = lower.indexOf(wanted, at + 1)) {
    ranges.push([at, at + wanted.length])
  }
  return <Highlighted text={text} ranges={ranges} />
}

/** Plain buttons: there are two in each of hundreds of rows. */
function RowActions({ source, node, name, path }: Props) {
  const [done, setDone] = useState<string>()
  useEffect(() => {
    if (done === undefined) return undefined
    const timer = setTimeout(() => setDone(undefined), 1200)
    return () => clearTimeout(timer)
  }, [done])
  const copy = async (what: string, text: string | Promise<string>): Promise<void> => {
    try {
      await copyText(await text)
      setDone(what)
    } catch {
      setDone('failed')
    }
  }
  return (
    <span className={styles.actions} data-done={done !== undefined || undefined}>
      <button
        type="button"
        className={styles.action}
        aria-label={`Copy the path of ${queryPath(name, path)}`}
        title="Copy the path"
        onClick={() => void copy('path', queryPath(name, path))}
      >
        <Icon name={done === 'path' ? 'check' : 'link'} size={12} />
      </button>
      <button
        type="button"
        className={styles.action}
        aria-label={`Copy the value of ${queryPath(name, path)}`}
        title="Copy the value"
        onClick={() => void copy('value', Promise.resolve(source.slice(node.at, node.end)))}
      >
        <Icon name={done === 'value' ? 'check' : 'copy'} size={12} />
      </button>
    </span>
  )
}
