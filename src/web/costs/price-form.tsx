import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { JsonText } from '../../client/browser/json-text.ts'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import { Failure } from '../ui/failure.tsx'
import styles from './price-form.module.css'
import { perToken } from './per-million.ts'

interface Props {
  readonly project: Project
  /** Empty for any model. */
  readonly model: string
  readonly onDone: () => void
}

const FIELDS = [
  { name: 'prompt', label: 'Input', isRequired: true },
  { name: 'completion', label: 'Output', isRequired: true },
  { name: 'cacheRead', label: 'Read from cache', isRequired: false },
  { name: 'cacheCreation', label: 'Written to cache', isRequired: false },
] as const

type Field = (typeof FIELDS)[number]['name']

/** A price of the project's own for a model, in dollars for a million tokens as price lists have it. */
export function PriceForm({ project, model, onDone }: Props) {
  const [name, setName] = useState(model)
  const [texts, setTexts] = useState<Readonly<Partial<Record<Field, string>>>>({})
  const [date, setDate] = useState('2020-01-01')
  const [isTried, setTried] = useState(false)
  const queries = useQueryClient()
  const prices = Object.fromEntries(FIELDS.map((field) => [field.name, perToken(texts[field.name] ?? '')]))
  const isWrong = (field: (typeof FIELDS)[number]): boolean =>
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
      // Whatever shows a cost shows another one now.
      await queries.invalidateQueries()
      onDone()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setTried(true)
    if (name.trim() !== '' && date !== '' && !FIELDS.some(isWrong)) save.mutate()
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
            description="as calls name it"
            spellCheck={false}
            value={name}
            error={isTried && name.trim() === '' ? 'Which model?' : undefined}
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
            error={isTried && isWrong(field) ? 'A number such as 2.50' : undefined}
            onChange={(event) => setTexts({ ...texts, [field.name]: event.target.value })}
          />
        ))}
        <label className={styles.date}>
          Valid from
          <span className={styles.hint}>of calls that began then or later</span>
          <input
            type="date"
            className={styles.input}
            required
            value={date}
            onChange={(event) => setDate(event.target.value)}
          />
        </label>
        <div className={styles.actions}>
          <Button type="submit" loading={save.isPending}>
            Set the price
          </Button>
          <Button variant="subtle" color="gray" onClick={onDone}>
            Cancel
          </Button>
        </div>
      </div>
      <p className={styles.hint}>
        Costs are worked out when they are read: calls of the past are priced at once, by the price that was
        valid when they began.
      </p>
      {save.isError && <Failure error={save.error} />}
    </form>
  )
}

/** With all of its digits. */
function number(text: string | undefined): JsonText {
  return new JsonText(text ?? '0')
}
