import { Button, Checkbox, Popover, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { IconButton } from '../ui/icon-button.tsx'
import styles from './columns-menu.module.css'
import { type Column, COLUMNS, isPath, pathColumn } from './columns.ts'

interface Props {
  readonly columns: readonly Column[]
  readonly onColumns: (columns: readonly Column[]) => void
}

/** Menu that shows and hides columns and adds path columns. */
export function ColumnsMenu({ columns, onColumns }: Props) {
  const [path, setPath] = useState('')
  const names = new Set(columns.map(({ name }) => name))
  const customColumns = columns.filter((column) => !COLUMNS.includes(column))
  const toggle = (column: Column): void => {
    if (names.has(column.name)) {
      onColumns(columns.filter(({ name }) => name !== column.name))
      return
    }
    // Menu order, with custom path columns last.
    const all = [...COLUMNS, ...customColumns].filter(({ name }) => names.has(name) || name === column.name)
    onColumns(all)
  }
  const add = (event: FormEvent): void => {
    event.preventDefault()
    const name = path.trim()
    if (!isPath(name) || names.has(name)) return
    onColumns([...columns, pathColumn(name)])
    setPath('')
  }
  return (
    <Popover position="bottom-end" width={280} trapFocus returnFocus>
      <Popover.Target>
        <IconButton icon="columns" label="Columns" tooltip="Columns" variant="default" size={32} />
      </Popover.Target>
      <Popover.Dropdown className={styles.dropdown}>
        <fieldset className={styles.list}>
          <legend className={styles.title}>Columns</legend>
          {[...COLUMNS, ...customColumns].map((column) => (
            <Checkbox
              key={column.name}
              label={column.label}
              checked={names.has(column.name)}
              onChange={() => toggle(column)}
            />
          ))}
        </fieldset>
        <form className={styles.add} onSubmit={add}>
          <TextInput
            aria-label="New column path"
            placeholder="inputs.user.tier"
            size="xs"
            value={path}
            onChange={(event) => setPath(event.target.value)}
            description="A path into inputs, output, attributes or summary, or scores.name"
            inputWrapperOrder={['input', 'description']}
          />
          <Button type="submit" variant="default" disabled={!isPath(path.trim())}>
            Add
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}
