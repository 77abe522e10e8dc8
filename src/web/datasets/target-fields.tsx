import { SegmentedControl, TextInput } from '@mantine/core'
import { useId } from 'react'
import { nameError, type Target } from './publish-dataset.ts'
import styles from './target-fields.module.css'

interface Props {
  readonly target: Target
  readonly names: readonly string[]
  readonly onTarget: (target: Target) => void
}

/** The fields that select the target dataset: a new one, or a new version of an existing one. */
export function TargetFields({ target, names, onTarget }: Props) {
  const listId = useId()
  const exists = names.includes(target.name)
  const setName = (name: string): void =>
    onTarget({ name, mode: names.includes(name) ? (target.mode === 'new' ? 'append' : target.mode) : 'new' })
  return (
    <div className={styles.fields}>
      <TextInput
        label="Dataset"
        className={styles.name}
        placeholder="questions"
        list={listId}
        value={target.name}
        onChange={(event) => setName(event.target.value)}
        error={target.name === '' ? undefined : nameError(target.name)}
        description={
          exists ? 'This dataset exists. A new version will be published.' : 'A new dataset will be created.'
        }
        inputWrapperOrder={['label', 'input', 'error', 'description']}
      />
      <datalist id={listId}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {exists && (
        <SegmentedControl
          aria-label="Existing rows"
          className={styles.mode}
          value={target.mode}
          onChange={(how) => onTarget({ ...target, mode: how === 'replace' ? 'replace' : 'append' })}
          data={[
            { value: 'append', label: 'Append rows' },
            { value: 'replace', label: 'Replace rows' },
          ]}
        />
      )}
    </div>
  )
}
