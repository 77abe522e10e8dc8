import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import type { Project } from '../api/project.ts'
import { Icon } from '../ui/icon.tsx'
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
  // Kept here: the frame of a chart is another one when its data arrives, and an open menu stays open.
  const [openMenu, setOpenMenu] = useState<string>()
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
            <ChartView
              project={project}
              definition={chart}
              search={search}
              onSelect={onSelect}
              actions={
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
                  <Menu
                    position="bottom-end"
                    opened={openMenu === chart.id}
                    onChange={(isOpen) => setOpenMenu(isOpen ? chart.id : undefined)}
                  >
                    <Menu.Target>
                      <ActionIcon size={24} aria-label={`Actions for ${title}`}>
                        <Icon name="more" size={13} />
                      </ActionIcon>
                    </Menu.Target>
                    <Menu.Dropdown>
                      <Menu.Item leftSection={<Icon name="edit" size={14} />} onClick={() => onEdit(chart)}>
                        Edit
                      </Menu.Item>
                      <Menu.Item
                        leftSection={<Icon name="columns" size={14} />}
                        onClick={() =>
                          onChange({
                            kind: 'put',
                            chart: { ...chart, width: chart.width === 'half' ? 'whole' : 'half' },
                          })
                        }
                      >
                        {chart.width === 'half' ? 'Whole width' : 'Half width'}
                      </Menu.Item>
                      <Menu.Item
                        leftSection={<Icon name="copy" size={14} />}
                        onClick={() => onDuplicate(chart)}
                      >
                        Duplicate
                      </Menu.Item>
                      <Menu.Item
                        color="madder"
                        leftSection={<Icon name="trash" size={14} />}
                        onClick={() => onChange({ kind: 'remove', id: chart.id })}
                      >
                        Remove
                      </Menu.Item>
                    </Menu.Dropdown>
                  </Menu>
                </span>
              }
            />
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
    <Tooltip label={label}>
      <ActionIcon
        id={id}
        size={24}
        aria-label={label}
        aria-disabled={isDisabled || undefined}
        className={styles.move}
        onClick={() => {
          if (!isDisabled) onMove()
        }}
      >
        <Icon name={icon} size={13} />
      </ActionIcon>
    </Tooltip>
  )
}
