import { SegmentedControl, TextInput } from '@mantine/core'
import { useId } from 'react'
import { nameTrouble, type Target } from './publish-dataset.ts'
import styles from './target-fields.module.css'

interface Props {
  readonly target: Target
  readonly names: readonly string[]
  readonly onTarget: (target: Target) => void
}

/** Which dataset rows go to: a new one, or the next version of one that is there. */
export function TargetFields({ target, names, onTarget }: Props) {
  const listId = useId()
  const isThere = names.includes(target.name)
  const setName = (name: string): void =>
    onTarget({ name, how: names.includes(name) ? (target.how === 'new' ? 'append' : target.how) : 'new' })
  return (
    <div className={styles.fields}>
      <TextInput
        label="Dataset"
        className={styles.name}
        placeholder="questions"
        list={listId}
        value={target.name}
        onChange={(event) => setName(event.target.value)}
        error={target.name === '' ? undefined : nameTrouble(target.name)}
        description={
          isThere ? 'There is one with this name: this becomes its next version.' : 'A new dataset.'
        }
        inputWrapperOrder={['label', 'input', 'error', 'description']}
      />
      <datalist id={listId}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {isThere && (
        <SegmentedControl
          aria-label="What happens to its rows"
          className={styles.how}
          value={target.how}
          onChange={(how) => onTarget({ ...target, how: how === 'replace' ? 'replace' : 'append' })}
          data={[
            { value: 'append', label: 'Add to its rows' },
            { value: 'replace', label: 'Replace its rows' },
          ]}
        />
      )}
    </div>
  )
}
