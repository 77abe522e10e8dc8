import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { refreshQueries } from '../api/query-client.ts'
import { JsonText } from '../../client/browser/json-text.ts'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import styles from './price-form.module.css'
import { perToken } from '../ui/per-million.ts'

interface Props {
  readonly project: Project
  /** Empty to let the user enter a model. */
  readonly model: string
  readonly onDone: () => void
}

const FIELDS = [
  { name: 'prompt', label: 'Input', isRequired: true },
  { name: 'completion', label: 'Output', isRequired: true },
  { name: 'cacheRead', label: 'Cache read', isRequired: false },
  { name: 'cacheCreation', label: 'Cache write', isRequired: false },
] as const

type Field = (typeof FIELDS)[number]['name']

/** Form that sets a project price for a model, in dollars per million tokens. */
export function PriceForm({ project, model, onDone }: Props) {
  const [name, setName] = useState(model)
  const [texts, setTexts] = useState<Readonly<Partial<Record<Field, string>>>>({})
  const [date, setDate] = useState('2020-01-01')
  const [isSubmitted, setSubmitted] = useState(false)
  const prices = Object.fromEntries(FIELDS.map((field) => [field.name, perToken(texts[field.name] ?? '')]))
  const isInvalid = (field: (typeof FIELDS)[number]): boolean =>
    prices[field.name] === undefined && (field.isRequired || (texts[field.name] ?? '').trim() !== '')
  const save = useMutation({
    mutationFn: () =>
      api.call('cost_create', {
        project_id: project.project_id,
        costs: {
          [name.trim()]: {
            prompt_token_cost: number(prices['prompt']),
            completion_token_cost: number(prices['completion']),
            cache_read_input_token_cost: number(prices['cacheRead']),
            cache_creation_input_token_cost: number(prices['cacheCreation']),
            effective_date: `${date}T00:00:00Z`,
          },
        },
      }),
    onSuccess: async () => {
      // Every shown cost may have changed.
      await refreshQueries()
      onDone()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setSubmitted(true)
    if (name.trim() !== '' && date !== '' && !FIELDS.some(isInvalid)) save.mutate()
  }
  return (
    <form
      className={styles.form}
      aria-label={`Price of ${model === '' ? 'a model' : model}`}
      onSubmit={submit}
    >
      <div className={styles.fields}>
        {model === '' && (
          <TextInput
            className={styles.model}
            label="Model"
            description="Name as reported by calls"
            spellCheck={false}
            value={name}
            error={isSubmitted && name.trim() === '' ? 'Enter a model name' : undefined}
            onChange={(event) => setName(event.target.value)}
          />
        )}
        {FIELDS.map((field) => (
          <TextInput
            key={field.name}
            className={styles.price}
            label={field.label}
            description="$ per million tokens"
            inputMode="decimal"
            placeholder={field.isRequired ? '2.50' : '0'}
            value={texts[field.name] ?? ''}
            error={isSubmitted && isInvalid(field) ? 'Enter a number, such as 2.50' : undefined}
            onChange={(event) => setTexts({ ...texts, [field.name]: event.target.value })}
          />
        ))}
        <label className={styles.date}>
          Valid from
          <span className={styles.hint}>for calls started on or after</span>
          <input
            type="date"
            className="native-input"
            required
            value={date}
            onChange={(event) => setDate(event.target.value)}
          />
        </label>
        <div className="row gap-4">
          <Button type="submit" loading={save.isPending}>
            Save price
          </Button>
          <Button variant="subtle" color="gray" onClick={onDone}>
            Cancel
          </Button>
        </div>
      </div>
      <p className={styles.hint}>
        Costs are computed when they are read. Past calls are priced immediately, at the price that was valid
        when they started.
      </p>
      {save.isError && <ErrorNotice error={save.error} />}
    </form>
  )
}

/** Keeps all digits of the number. */
function number(text: string | undefined): JsonText {
  return new JsonText(text ?? '0')
}
