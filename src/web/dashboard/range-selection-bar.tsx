import { Button } from '@mantine/core'
import { projectParams, type Project } from '../api/project.ts'
import { useShortcuts } from '../shortcuts/shortcuts.ts'
import { rangeLabel, parseRange } from '../time/range.ts'
import { LinkButton } from '../ui/link-button.tsx'
import { FloatingBar } from '../ui/floating-bar.tsx'
import type { Search } from '../search-state.ts'

interface Props {
  readonly project: Project
  readonly range: string
  readonly callsSearch: Search<'traces'>
  readonly noun: string
  readonly onZoom: () => void
  readonly onClear: () => void
}

/** Toolbar for the time range selected by dragging over a chart. */
export function RangeSelectionBar({ project, range, callsSearch, noun, onZoom, onClear }: Props) {
  useShortcuts('Dashboard', [{ keys: 'Escape', label: 'Clear time selection', run: onClear }])
  return (
    <FloatingBar label="Selected time range" text={rangeLabel(parseRange(range))}>
      <LinkButton
        variant="subtle"
        to="/$entity/$project/weave/traces"
        params={projectParams(project)}
        search={{ ...callsSearch, range }}
      >
        View {noun}
      </LinkButton>
      <Button variant="subtle" onClick={onZoom}>
        Zoom in
      </Button>
      <Button variant="subtle" color="gray" onClick={onClear}>
        Clear
      </Button>
    </FloatingBar>
  )
}
