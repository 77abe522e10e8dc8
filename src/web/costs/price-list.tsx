import { ActionIcon, Button, Checkbox, TextInput, Tooltip } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { refreshQueries } from '../api/query-client.ts'
import { JsonText } from '../../client/browser/json-text.ts'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import { builtInPriceText, effectiveDay, PROJECT_PRICE } from '../call/price-labels.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatPricePerMillion } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import styles from './costs-page.module.css'
import { PriceForm } from './price-form.tsx'
import { MAX_PRICES, type Price, usePrices } from './use-costs.ts'

interface Props {
  readonly project: Project
  readonly search: string
  readonly includeBuiltIn: boolean
  readonly isAdding: boolean
  readonly onSearch: (find: string) => void
  readonly onBuiltIn: (isOn: boolean) => void
  readonly onAdding: (isOn: boolean) => void
}

/** Prices of models, with their effective date and source. */
export function PriceList(props: Props) {
  const { project, search, includeBuiltIn } = props
  const prices = usePrices(project, search, includeBuiltIn)
  const remove = useMutation({
    mutationFn: (id: string) =>
      api.call('cost_purge', {
        project_id: project.project_id,
        query: JsonText.of({ $expr: { $eq: [{ $getField: 'id' }, { $literal: id }] } }),
      }),
    onSuccess: () => refreshQueries(),
  })
  const shown = prices.data?.slice(0, MAX_PRICES) ?? []
  return (
    <section className={styles.card} aria-labelledby="prices">
      <div className={styles.cardHead}>
        <h2 id="prices">Prices</h2>
        <span className={styles.faint}>per 1M tokens</span>
        <span className={styles.space} />
        <TextInput
          aria-label="Find a model"
          placeholder="Find a model"
          leftSection={<Icon name="search" size={14} />}
          value={search}
          onChange={(event) => props.onSearch(event.target.value)}
        />
        <Checkbox
          label="Include built-in prices"
          checked={includeBuiltIn}
          onChange={(event) => props.onBuiltIn(event.target.checked)}
        />
        <Button
          variant="default"
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => props.onAdding(!props.isAdding)}
        >
          Add price
        </Button>
      </div>
      {props.isAdding && <PriceForm project={project} model="" onDone={() => props.onAdding(false)} />}
      {remove.isError && <ErrorNotice error={remove.error} />}
      {prices.isError ? (
        <ErrorNotice error={prices.error} retry={() => void prices.refetch()} />
      ) : prices.data === undefined ? (
        <p className={styles.faint}>Loading…</p>
      ) : shown.length === 0 ? (
        <p className={styles.faint}>
          {search === ''
            ? 'No project prices. Built-in prices apply.'
            : `No prices for models matching “${search}”.`}
        </p>
      ) : (
        <div className={styles.wide} tabIndex={0} role="region" aria-label="Price list">
          <table className={styles.table} aria-busy={prices.isPlaceholderData}>
            <caption className="visually-hidden">Prices in dollars per 1M tokens</caption>
            <thead>
              <tr>
                <th scope="col">Model</th>
                <th scope="col">Input</th>
                <th scope="col">Output</th>
                <th scope="col">Cache read</th>
                <th scope="col">Cache write</th>
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
                  isProjectPrice={price.pricing_level === 'project'}
                  onRemove={() => price.id !== undefined && remove.mutate(price.id)}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {(prices.data?.length ?? 0) > MAX_PRICES && (
        <p className={styles.faint}>Showing the first {MAX_PRICES}. Search by model name to find others.</p>
      )}
    </section>
  )
}

interface RowProps {
  readonly price: Price
  readonly isProjectPrice: boolean
  readonly onRemove: () => void
}

function PriceRow({ price, isProjectPrice, onRemove }: RowProps) {
  const money = (cost: JsonText | undefined): string =>
    cost === undefined ? '–' : formatPricePerMillion(cost.text)
  return (
    <tr>
      <td>
        <code className="isolate">{visibleText(price.llm_id ?? '')}</code>
      </td>
      <td className={styles.money}>{money(price.prompt_token_cost)}</td>
      <td className={styles.money}>{money(price.completion_token_cost)}</td>
      <td className={styles.money}>{money(price.cache_read_input_token_cost)}</td>
      <td className={styles.money}>{money(price.cache_creation_input_token_cost)}</td>
      <td>{effectiveDay(price.effective_date) ?? '–'}</td>
      <td>{isProjectPrice ? PROJECT_PRICE : builtInPriceText(price.provider_id ?? '')}</td>
      <td>
        {isProjectPrice && (
          <Tooltip label="Remove. The previous price applies again.">
            <ActionIcon size={24} aria-label={`Remove price of ${price.llm_id}`} onClick={onRemove}>
              <Icon name="trash" size={14} />
            </ActionIcon>
          </Tooltip>
        )}
      </td>
    </tr>
  )
}
