import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef } from 'react'
import type { Project } from '../api/project.ts'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import styles from './item-rail.module.css'
import { useItemTexts } from './use-item-texts.ts'
import type { QueueItem } from './use-queue-items.ts'

const ROW_HEIGHT = 28

interface Props {
  readonly project: Project
  readonly items: readonly QueueItem[]
  readonly current: string | undefined
  readonly me: string | undefined
  readonly onOpen: (call_id: string) => void
}

/** The list of all items of the queue, each with its state and reviewer. */
export function ItemRail({ project, items, current, me, onOpen }: Props) {
  const scroller = useRef<HTMLElement>(null)
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 20,
  })
  const visible = rows.getVirtualItems()
  const ids = useMemo(() => items.map(({ call_id }) => call_id), [items])
  const texts = useItemTexts(
    project,
    ids,
    visible.map(({ index }) => index),
  )
  const at = items.findIndex(({ call_id }) => call_id === current)
  useEffect(() => {
    if (at >= 0) rows.scrollToIndex(at)
  }, [at])
  return (
    <nav ref={scroller} className={styles.rail} aria-label="Calls in this queue">
      <ol className={styles.list} style={{ height: rows.getTotalSize() }}>
        {visible.map(({ index, start }) => {
          const item = items[index]
          if (item === undefined) return null
          const state = itemState(item, me)
          return (
            <li key={item.call_id} className={styles.row} style={{ transform: `translateY(${start}px)` }}>
              <button
                type="button"
                className={styles.item}
                aria-current={index === at ? 'true' : undefined}
                data-state={state.name}
                onClick={() => onOpen(item.call_id)}
              >
                <span className={styles.number}>{index + 1}</span>
                <span className={styles.mark}>
                  {state.icon === undefined ? null : <Icon name={state.icon} size={12} />}
                </span>
                <span className="visually-hidden">
                  {' '}
                  {state.label} {visibleText(state.reviewer)}{' '}
                </span>
                <span className="ellipsis grow isolate">{visibleText(texts.get(item.call_id) ?? '')}</span>
                {item.done_by !== null && item.done_by !== me && (
                  <span aria-hidden="true" className={`${styles.reviewer} ellipsis isolate`}>
                    {visibleText(item.done_by)}
                  </span>
                )}
              </button>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

function itemState(item: QueueItem, me: string | undefined) {
  if (item.done_by !== null) {
    return { name: 'done', icon: 'check', reviewer: item.done_by, label: 'reviewed by' } as const
  }
  if (item.held_by !== null && item.held_by !== me) {
    return { name: 'held', icon: 'lock', reviewer: item.held_by, label: 'held by' } as const
  }
  if (me !== undefined && item.skipped_by.includes(me)) {
    return { name: 'skipped', icon: 'chevronRight', reviewer: 'skipped', label: '' } as const
  }
  return { name: 'open', icon: undefined, reviewer: '', label: 'to review' } as const
}
