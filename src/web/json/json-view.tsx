import { TextInput } from '@mantine/core'
import { useEffect, useMemo, useState } from 'react'
import { IconButton } from '../ui/icon-button.tsx'
import { formatBytes } from '../ui/format.ts'
import { JsonTreeNode } from './json-tree-node.tsx'
import type { JsonHits, JsonNode, JsonSource } from './json-source.ts'
import styles from './json-view.module.css'
import { useAsyncValue } from './use-async-value.ts'

interface Props {
  readonly source: JsonSource
  /** Name of the document in queries, such as `inputs`. */
  readonly name: string
  /** Whether the search is open from the start. */
  readonly isSearching?: boolean
}

/** Documents up to this size are shown expanded. */
const MAX_EXPANDED_CHARACTERS = 6000

/** Viewer of a JSON document in its original spelling, with expandable nodes and text search. */
export function JsonView({ source, name, isSearching: startsSearching = false }: Props) {
  const root = useAsyncValue(() => source.root(), [source])
  const [text, setText] = useState('')
  const [isSearching, setSearching] = useState(startsSearching)
  const search = useSearch(source, text)
  if (root === undefined) return <p className={styles.loading}>Loading {formatBytes(source.size)}…</p>
  return (
    <div className={styles.view}>
      <div className={styles.tools}>
        {isSearching ? (
          <>
            <TextInput
              aria-label={`Search in ${name}`}
              size="xs"
              autoFocus
              placeholder={`Search in ${name}`}
              value={text}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter') search.step(event.shiftKey ? -1 : 1)
                else if (event.key === 'Escape') {
                  event.stopPropagation()
                  event.preventDefault()
                  setText('')
                  setSearching(false)
                }
              }}
            />
            <span className={styles.count} role="status">
              {search.hits === undefined
                ? ''
                : `${search.hits.offsets.length === 0 ? 0 : search.at + 1} of ${search.hits.offsets.length}${search.hits.isTruncated ? '+' : ''}`}
            </span>
            <IconButton icon="chevronUp" label="Previous match" size={24} onClick={() => search.step(-1)} />
            <IconButton icon="chevronDown" label="Next match" size={24} onClick={() => search.step(1)} />
          </>
        ) : (
          <IconButton
            icon="search"
            label={`Search in ${name}`}
            tooltip={`Search in ${name}`}
            size={24}
            onClick={() => setSearching(true)}
          />
        )}
      </div>
      <div>
        <JsonTreeNode
          source={source}
          node={root}
          name={name}
          path={[]}
          initialDepth={source.size <= MAX_EXPANDED_CHARACTERS ? 8 : 1}
          matchPath={search.path}
          searchText={text}
        />
      </div>
    </div>
  )
}

interface Search {
  readonly hits: JsonHits | undefined
  readonly at: number
  /** The values that contain the current hit. */
  readonly path: readonly JsonNode[]
  readonly step: (by: number) => void
}

const NO_PATH: readonly JsonNode[] = []

function useSearch(source: JsonSource, text: string): Search {
  const query = text.trim()
  const hits = useAsyncValue<JsonHits | undefined>(
    () => (query === '' ? undefined : source.find(query)),
    [source, query],
  )
  const [at, setAt] = useState(0)
  useEffect(() => setAt(0), [query])
  const offset = hits?.offsets[at]
  const path = useAsyncValue<readonly JsonNode[]>(
    () => (offset === undefined ? NO_PATH : source.pathTo(offset)),
    [source, offset],
  )
  return useMemo(
    () => ({
      hits,
      at,
      path: path ?? NO_PATH,
      step: (by) => {
        const count = hits?.offsets.length ?? 0
        if (count > 0) setAt((at + by + count) % count)
      },
    }),
    [hits, at, path],
  )
}
