import { Menu } from '@mantine/core'
import type { Project } from '../api/project.ts'
import { type ExportFormat, exportLink, exportUnavailableReason } from './export-link.ts'
import type { ListQuery } from './list-query.ts'
import { ToolbarButton } from './toolbar-button.tsx'

const FORMATS: readonly { readonly format: ExportFormat; readonly label: string }[] = [
  { format: 'jsonl', label: 'JSON Lines' },
  { format: 'csv', label: 'CSV' },
  { format: 'parquet', label: 'Parquet' },
]

/** Menu that exports all calls of the list as a file. */
export function ExportMenu({
  project,
  listQuery,
}: {
  readonly project: Project
  readonly listQuery: ListQuery
}) {
  const unavailableReason = exportUnavailableReason(listQuery)
  if (unavailableReason !== undefined) {
    return (
      <ToolbarButton icon="download" label="Export matching calls" tooltip={unavailableReason} isDisabled />
    )
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ToolbarButton icon="download" label="Export matching calls" tooltip="Export matching calls" />
      </Menu.Target>
      <Menu.Dropdown>
        {FORMATS.map(({ format, label }) => (
          <Menu.Item
            key={format}
            component="a"
            download
            href={exportLink(project, listQuery, format, Date.now())}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
