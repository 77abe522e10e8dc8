import { Menu } from '@mantine/core'
import { BASE_PATH } from '../api/base-path.ts'
import type { Project } from '../api/project.ts'
import { ActionButton } from '../ui/action-button.tsx'

const FORMATS = [
  { format: 'csv', label: 'CSV, a column for each field' },
  { format: 'jsonl', label: 'JSON Lines' },
  { format: 'parquet', label: 'Parquet, rows as JSON' },
] as const

interface Props {
  readonly project: Project
  /** The digest of the table. */
  readonly digest: string
  readonly name: string
}

/** Menu that downloads the rows of a dataset version. The server streams the file. */
export function ExportRowsMenu({ project: { entity, project }, digest, name }: Props) {
  const path = [entity, project, 'tables', digest].map(encodeURIComponent).join('/')
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionButton variant="default" icon="download">
          Export
        </ActionButton>
      </Menu.Target>
      <Menu.Dropdown>
        {FORMATS.map(({ format, label }) => (
          <Menu.Item
            key={format}
            component="a"
            download
            href={`${BASE_PATH}/api/v1/projects/${path}/export?${new URLSearchParams({ format, name }).toString()}`}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
