import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { projectParams, type Project } from '../api/project.ts'
import type { ListSearch } from '../traces/list-search.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { rangeLabel, parseRange } from '../time/range.ts'
import styles from './range-selection-bar.module.css'

interface Props {
  readonly project: Project
  readonly range: string
  readonly callsSearch: ListSearch
  readonly noun: string
  readonly onZoom: () => void
  readonly onClear: () => void
}

/** Toolbar for the time range selected by dragging over a chart. */
export function RangeSelectionBar({ project, range, callsSearch, noun, onZoom, onClear }: Props) {
  useShortcuts('Dashboard', [{ keys: 'Escape', label: 'Clear time selection', run: onClear }])
  return (
    <div className={styles.bar} role="toolbar" aria-label="Selected time range">
      <span className={styles.text}>{rangeLabel(parseRange(range))}</span>
      <Button
        variant="subtle"
        renderRoot={(props) => (
          <Link
            {...props}
            to="/$entity/$project/weave/traces"
            params={projectParams(project)}
            search={{ ...callsSearch, range }}
          />
        )}
      >
        View {noun}
      </Button>
      <Button variant="subtle" onClick={onZoom}>
        Zoom in
      </Button>
      <Button variant="subtle" color="gray" onClick={onClear}>
        Clear
      </Button>
    </div>
  )
}
