import { useLayoutEffect, useRef } from 'react'
import type { Project } from '../api/project.ts'
import { WriteOnly } from '../api/role.tsx'
import { ActionMenu, MenuAction } from '../ui/action-menu.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import styles from './chart-grid.module.css'
import { ChartView, chartTitle } from './chart-view.tsx'
import type { ChartDefinition, ChartsChange } from './definition.ts'
import type { RangeSelection } from './metric-chart-view.tsx'
import type { ChartSearch } from './metric-view.tsx'

interface Props {
  readonly project: Project
  readonly charts: readonly ChartDefinition[]
  readonly search: ChartSearch
  /** Whether a change is being saved. */
  readonly isBusy: boolean
  readonly onChange: (change: ChartsChange) => void
  readonly onEdit: (chart: ChartDefinition) => void
  readonly onDuplicate: (chart: ChartDefinition) => void
  readonly onSelect: (selection: RangeSelection) => void
}

/** The charts of a dashboard in two columns, each with its actions. */
export function ChartGrid({
  project,
  charts,
  search,
  isBusy,
  onChange,
  onEdit,
  onDuplicate,
  onSelect,
}: Props) {
  // A moved element loses the focus in the DOM. The button gets it back, so that it can be pressed again.
  const pressed = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (pressed.current !== undefined) document.getElementById(pressed.current)?.focus()
    pressed.current = undefined
  }, [charts])
  const move = (chart: ChartDefinition, by: -1 | 1): void => {
    pressed.current = buttonId(chart, by)
    if (!isBusy) onChange({ kind: 'move', id: chart.id, by })
  }
  return (
    <ul className={styles.grid} aria-label="Charts">
      {charts.map((chart, i) => {
        const title = chartTitle(chart)
        return (
          <li key={chart.id} className={styles.item} data-width={chart.width}>
            {/* Not in the frame, which is another one when the data arrives: a click must not get lost then. */}
            <WriteOnly>
              <span className={styles.actions}>
                <MoveButton
                  id={buttonId(chart, -1)}
                  label={`Move ${title} earlier`}
                  icon="chevronLeft"
                  isDisabled={i === 0}
                  onMove={() => move(chart, -1)}
                />
                <MoveButton
                  id={buttonId(chart, 1)}
                  label={`Move ${title} later`}
                  icon="chevronRight"
                  isDisabled={i === charts.length - 1}
                  onMove={() => move(chart, 1)}
                />
                <ActionMenu label={`Actions for ${title}`} size={24}>
                  <MenuAction icon="edit" onClick={() => onEdit(chart)}>
                    Edit
                  </MenuAction>
                  <MenuAction
                    icon="columns"
                    onClick={() =>
                      onChange({
                        kind: 'put',
                        chart: { ...chart, width: chart.width === 'half' ? 'whole' : 'half' },
                      })
                    }
                  >
                    {chart.width === 'half' ? 'Whole width' : 'Half width'}
                  </MenuAction>
                  <MenuAction icon="copy" onClick={() => onDuplicate(chart)}>
                    Duplicate
                  </MenuAction>
                  <MenuAction
                    color="danger"
                    icon="trash"
                    onClick={() => onChange({ kind: 'remove', id: chart.id })}
                  >
                    Remove
                  </MenuAction>
                </ActionMenu>
              </span>
            </WriteOnly>
            <ChartView project={project} definition={chart} search={search} onSelect={onSelect} />
          </li>
        )
      })}
    </ul>
  )
}

function buttonId({ id }: ChartDefinition, by: -1 | 1): string {
  return `move-${by === 1 ? 'later' : 'earlier'}-${id}`
}

interface MoveProps {
  readonly id: string
  readonly label: string
  readonly icon: 'chevronLeft' | 'chevronRight'
  readonly isDisabled: boolean
  readonly onMove: () => void
}

/** Stays focusable at the end of the list, so that the focus is not lost there. */
function MoveButton({ id, label, icon, isDisabled, onMove }: MoveProps) {
  return (
    <IconButton
      icon={icon}
      label={label}
      tooltip={label}
      id={id}
      size={24}
      aria-disabled={isDisabled || undefined}
      className={styles.move}
      onClick={() => {
        if (!isDisabled) onMove()
      }}
    />
  )
}
