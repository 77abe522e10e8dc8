import { ActionIcon, Button, Checkbox, Popover, TextInput, Tooltip } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import styles from './columns-menu.module.css'
import { type Column, COLUMNS, isPath, pathColumn } from './columns.ts'

interface Props {
  readonly columns: readonly Column[]
  readonly onColumns: (columns: readonly Column[]) => void
}

/** Which columns are shown; any path into the documents can be one. */
export function ColumnsMenu({ columns, onColumns }: Props) {
  const [path, setPath] = useState('')
  const names = new Set(columns.map(({ name }) => name))
  const own = columns.filter((column) => !COLUMNS.includes(column))
  const toggle = (column: Column): void => {
    if (names.has(column.name)) {
      onColumns(columns.filter(({ name }) => name !== column.name))
      return
    }
    // In the order of the menu, with those of people's own behind.
    const all = [...COLUMNS, ...own].filter(({ name }) => names.has(name) || name === column.name)
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
        <Tooltip label="Columns">
          <ActionIcon variant="default" size={32} aria-label="Columns">
            <Icon name="columns" />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown className={styles.dropdown}>
        <fieldset className={styles.list}>
          <legend className={styles.title}>Columns</legend>
          {[...COLUMNS, ...own].map((column) => (
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
            aria-label="Path of a new column"
            placeholder="inputs.user.tier"
            size="xs"
            value={path}
            onChange={(event) => setPath(event.target.value)}
            description="Any path into inputs, output, attributes or summary"
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
