import styles from './stack-picker.module.css'

interface Props {
  readonly stacks: readonly string[]
  readonly value: string | undefined
  readonly onChange: (stack: string) => void
}

/** Chooses the instrumentation whose code is shown. */
export function StackPicker({ stacks, value, onChange }: Props) {
  return (
    <fieldset className={styles.stacks}>
      <legend className={styles.legend}>Instrumentation</legend>
      {stacks.map((stack) => (
        <label key={stack} className={styles.stack}>
          <input
            type="radio"
            name="stack"
            className={styles.radio}
            checked={stack === value}
            onChange={() => onChange(stack)}
          />
          {stack}
        </label>
      ))}
    </fieldset>
  )
}
