import { Checkbox, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { refreshQueries } from '../api/query-client.ts'
import { JsonText } from '../../client/browser/json-text.ts'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import { WriteOnly } from '../api/role.tsx'
import { builtInPriceText, effectiveDay, PROJECT_PRICE } from '../call/price-labels.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { ActionButton } from '../ui/action-button.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatPricePerMillion } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { type SimpleColumn, SimpleTable } from '../ui/simple-table.tsx'
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
        <span className="faint">per 1M tokens</span>
        <span className="grow" />
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
        <WriteOnly>
          <ActionButton variant="default" icon="plus" onClick={() => props.onAdding(!props.isAdding)}>
            Add price
          </ActionButton>
        </WriteOnly>
      </div>
      {props.isAdding && <PriceForm project={project} model="" onDone={() => props.onAdding(false)} />}
      {remove.isError && <ErrorNotice error={remove.error} />}
      {prices.isError ? (
        <ErrorNotice error={prices.error} retry={() => void prices.refetch()} />
      ) : prices.data === undefined ? (
        <p className="faint">Loading…</p>
      ) : shown.length === 0 ? (
        <p className="faint">
          {search === ''
            ? 'No project prices. Built-in prices apply.'
            : `No prices for models matching “${search}”.`}
        </p>
      ) : (
        <SimpleTable
          region="Price list"
          caption="Prices in dollars per 1M tokens"
          isBusy={prices.isPlaceholderData}
          rows={shown}
          rowKey={({ id }) => id ?? ''}
          columns={[
            {
              label: 'Model',
              cell: ({ llm_id }) => <code className="isolate">{visibleText(llm_id ?? '')}</code>,
            },
            money('Input', ({ prompt_token_cost }) => prompt_token_cost),
            money('Output', ({ completion_token_cost }) => completion_token_cost),
            money('Cache read', (price) => price.cache_read_input_token_cost),
            money('Cache write', (price) => price.cache_creation_input_token_cost),
            { label: 'Valid from', cell: (price) => effectiveDay(price.effective_date) ?? '–' },
            {
              label: 'Source',
              cell: (price) =>
                isProjectPrice(price) ? PROJECT_PRICE : builtInPriceText(price.provider_id ?? ''),
            },
            {
              label: 'Remove',
              isLabelHidden: true,
              cell: (price) =>
                isProjectPrice(price) && (
                  <IconButton
                    icon="trash"
                    label={`Remove price of ${price.llm_id}`}
                    tooltip="Remove. The previous price applies again."
                    size={24}
                    onClick={() => price.id !== undefined && remove.mutate(price.id)}
                  />
                ),
            },
          ]}
        />
      )}
      {(prices.data?.length ?? 0) > MAX_PRICES && (
        <p className="faint">Showing the first {MAX_PRICES}. Search by model name to find others.</p>
      )}
    </section>
  )
}

function isProjectPrice(price: Price): boolean {
  return price.pricing_level === 'project'
}

function money(label: string, cost: (price: Price) => JsonText | undefined): SimpleColumn<Price> {
  const text = (value: JsonText | undefined) =>
    value === undefined ? '–' : formatPricePerMillion(value.text)
  return { label, className: 'mono', cell: (price) => text(cost(price)) }
}
