import { ActionIcon, Button, Checkbox, TextInput, Tooltip } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { JsonText } from '../../client/browser/json-text.ts'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import { Failure } from '../ui/failure.tsx'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import styles from './costs-page.module.css'
import { perMillion } from './per-million.ts'
import { PriceForm } from './price-form.tsx'
import { sinceText } from './since-text.ts'
import { MOST_PRICES, type Price, usePrices } from './use-costs.ts'

interface Props {
  readonly project: Project
  readonly find: string
  readonly withBuiltIn: boolean
  readonly isAdding: boolean
  readonly onFind: (find: string) => void
  readonly onBuiltIn: (isOn: boolean) => void
  readonly onAdding: (isOn: boolean) => void
}

/** What models cost, since when, and who says so. */
export function PriceList(props: Props) {
  const { project, find, withBuiltIn } = props
  const prices = usePrices(project, find, withBuiltIn)
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: (id: string) =>
      api.call('cost_purge', {
        project_id: project.project_id,
        query: JsonText.of({ $expr: { $eq: [{ $getField: 'id' }, { $literal: id }] } }),
      }),
    onSuccess: () => queries.invalidateQueries(),
  })
  const shown = prices.data?.slice(0, MOST_PRICES) ?? []
  return (
    <section className={styles.card} aria-labelledby="prices">
      <div className={styles.cardHead}>
        <h2 id="prices">Prices</h2>
        <span className={styles.faint}>$ per million tokens</span>
        <span className={styles.space} />
        <TextInput
          aria-label="Find a model"
          placeholder="Find a model"
          leftSection={<Icon name="search" size={14} />}
          value={find}
          onChange={(event) => props.onFind(event.target.value)}
        />
        <Checkbox
          label="Built-in prices too"
          checked={withBuiltIn}
          onChange={(event) => props.onBuiltIn(event.target.checked)}
        />
        <Button
          variant="default"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => props.onAdding(!props.isAdding)}
        >
          Add a price
        </Button>
      </div>
      {props.isAdding && <PriceForm project={project} model="" onDone={() => props.onAdding(false)} />}
      {remove.isError && <Failure error={remove.error} />}
      {prices.isError ? (
        <Failure error={prices.error} retry={() => void prices.refetch()} />
      ) : prices.data === undefined ? (
        <p className={styles.faint}>Reading…</p>
      ) : shown.length === 0 ? (
        <p className={styles.faint}>
          {find === ''
            ? 'This project has no prices of its own: the built-in ones count.'
            : `No price of a model with “${find}” in its name.`}
        </p>
      ) : (
        <div className={styles.wide} tabIndex={0} role="region" aria-label="List of prices">
          <table className={styles.table} aria-busy={prices.isPlaceholderData}>
            <caption className="visually-hidden">Prices in dollars per million tokens</caption>
            <thead>
              <tr>
                <th scope="col">Model</th>
                <th scope="col">Input</th>
                <th scope="col">Output</th>
                <th scope="col">Cache read</th>
                <th scope="col">Cache written</th>
                <th scope="col">Valid from</th>
                <th scope="col">Source</th>
                <th scope="col">
                  <span className="visually-hidden">Remove</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((price) => (
                <PriceRow
                  key={price.id}
                  price={price}
                  isOwn={price.pricing_level === 'project'}
                  onRemove={() => price.id !== undefined && remove.mutate(price.id)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {(prices.data?.length ?? 0) > MOST_PRICES && (
        <p className={styles.faint}>
          These are the first {MOST_PRICES}. Write a part of a name to find others.
        </p>
      )}
    </section>
  )
}

interface RowProps {
  readonly price: Price
  readonly isOwn: boolean
  readonly onRemove: () => void
}

function PriceRow({ price, isOwn, onRemove }: RowProps) {
  const money = (cost: JsonText | undefined): string => (cost === undefined ? '–' : perMillion(cost.text))
  return (
    <tr>
      <td>
        <code className="foreign">{visibleText(price.llm_id ?? '')}</code>
      </td>
      <td className={styles.money}>{money(price.prompt_token_cost)}</td>
      <td className={styles.money}>{money(price.completion_token_cost)}</td>
      <td className={styles.money}>{money(price.cache_read_input_token_cost)}</td>
      <td className={styles.money}>{money(price.cache_creation_input_token_cost)}</td>
      <td>{sinceText(price.effective_date)}</td>
      <td>{isOwn ? 'the project’s own' : `built in (${price.provider_id})`}</td>
      <td>
        {isOwn && (
          <Tooltip label="Remove: the price before it counts again">
            <ActionIcon size={24} aria-label={`Remove the price of ${price.llm_id}`} onClick={onRemove}>
              <Icon name="trash" size={14} />
            </ActionIcon>
          </Tooltip>
        )}
      </td>
    </tr>
  )
}
