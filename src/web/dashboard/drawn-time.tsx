import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { inPath, type Project } from '../api/project.ts'
import type { ListSearch } from '../traces/list-search.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { rangeLabel, parseRange } from '../time/range.ts'
import styles from './drawn-time.module.css'

interface Props {
  readonly project: Project
  readonly range: string
  readonly search: ListSearch
  readonly noun: string
  readonly onZoom: () => void
  readonly onClear: () => void
}

/** What can be done with a time that was drawn over in a chart. */
export function DrawnTime({ project, range, search, noun, onZoom, onClear }: Props) {
  useShortcuts('Numbers', [{ keys: 'Escape', label: 'Forget the time that was drawn', run: onClear }])
  return (
    <div className={styles.bar} role="toolbar" aria-label="The time that was drawn over">
      <span className={styles.text}>{rangeLabel(parseRange(range))}</span>
      <Button
        variant="subtle"
        renderRoot={(props) => (
          <Link
            {...props}
            to="/$entity/$project/weave/traces"
            params={inPath(project)}
            search={{ ...search, range }}
          />
        )}
      >
        See its {noun}
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
