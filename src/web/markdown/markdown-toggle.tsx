import { SegmentedControl } from '@mantine/core'
import { useMarkdownMode } from './markdown-mode.ts'

/** Chooses between rendered and raw Markdown. */
export function MarkdownToggle() {
  const { isRendered, toggle } = useMarkdownMode()
  return (
    <SegmentedControl
      size="xs"
      aria-label="Markdown"
      value={isRendered ? 'rendered' : 'raw'}
      onChange={toggle}
      data={[
        { value: 'rendered', label: 'Rendered' },
        { value: 'raw', label: 'Raw' },
      ]}
    />
  )
}
