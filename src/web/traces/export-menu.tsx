import { Menu } from '@mantine/core'
import type { Project } from '../api/project.ts'
import { type ExportFormat, exportLink, whyNoExport } from './export-link.ts'
import type { ListQuestion } from './list-question.ts'
import { ToolButton } from './tool-button.tsx'

const FORMATS: readonly { readonly format: ExportFormat; readonly label: string }[] = [
  { format: 'jsonl', label: 'JSON lines' },
  { format: 'csv', label: 'CSV' },
  { format: 'parquet', label: 'Parquet' },
]

/** Everything that the list counts, as a file. */
export function ExportMenu({
  project,
  question,
}: {
  readonly project: Project
  readonly question: ListQuestion
}) {
  const why = whyNoExport(question)
  if (why !== undefined) {
    return <ToolButton icon="download" label="Export what matches" tip={why} isDisabled />
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ToolButton icon="download" label="Export what matches" tip="Export what matches" />
      </Menu.Target>
      <Menu.Dropdown>
        {FORMATS.map(({ format, label }) => (
          <Menu.Item
            key={format}
            component="a"
            download
            href={exportLink(project, question, format, Date.now())}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
