import { Checkbox, Textarea, TextInput } from '@mantine/core'
import type { SpecDraft } from './spec-draft.ts'
import styles from './spec-dialog.module.css'

interface Props {
  readonly draft: SpecDraft
  readonly onChange: (change: Partial<SpecDraft>) => void
}

/** The fields for the values of a score: options, bounds or length. */
export function ValueFields({ draft, onChange }: Props) {
  switch (draft.kind) {
    case 'boolean':
      return <p className="faint">Press P to pass and F to fail, anywhere on the page.</p>
    case 'options':
      return (
        <Textarea
          label="Options, one per line"
          size="sm"
          autosize
          minRows={3}
          maxRows={10}
          placeholder={'correct\npartly correct\nincorrect'}
          value={draft.options}
          onChange={(event) => onChange({ options: event.target.value })}
        />
      )
    case 'number':
      return (
        <div className={styles.bounds}>
          <TextInput
            label="Minimum"
            size="sm"
            inputMode="decimal"
            placeholder="None"
            value={draft.minimum}
            onChange={(event) => onChange({ minimum: event.target.value })}
          />
          <TextInput
            label="Maximum"
            size="sm"
            inputMode="decimal"
            placeholder="None"
            value={draft.maximum}
            onChange={(event) => onChange({ maximum: event.target.value })}
          />
          <Checkbox
            label="Whole numbers"
            checked={draft.isInteger}
            onChange={(event) => onChange({ isInteger: event.target.checked })}
          />
        </div>
      )
    case 'text':
      return (
        <TextInput
          label="Maximum length, in characters"
          size="sm"
          inputMode="numeric"
          placeholder="No limit"
          value={draft.maxLength}
          onChange={(event) => onChange({ maxLength: event.target.value })}
        />
      )
  }
}
