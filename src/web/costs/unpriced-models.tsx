import { Button } from '@mantine/core'
import type { Project } from '../api/project.ts'
import { formatCompact } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import styles from './costs-page.module.css'
import { PriceForm } from './price-form.tsx'
import type { CostExplanation } from './use-costs.ts'

interface Props {
  readonly project: Project
  readonly unpriced: CostExplanation['unpriced']
  /** The model whose price form is open. */
  readonly openModel: string | undefined
  readonly onOpenModel: (model: string | undefined) => void
}

/** Used models without a price. Their cost is not in any total until a price is set. */
export function UnpricedModels({ project, unpriced, openModel, onOpenModel }: Props) {
  if (unpriced.length === 0) return null
  return (
    <section className={styles.unpriced} aria-labelledby="unpriced">
      <h2 id="unpriced" className="row gap-8 warn">
        <Icon name="warning" />
        {unpriced.length === 1 ? 'One model has no price' : `${unpriced.length} models have no price`}
      </h2>
      <p>{unpriced.length === 1 ? 'Its' : 'Their'} cost is not included in the totals below.</p>
      <ul className="stack gap-8">
        {unpriced.map((each) => (
          <li key={each.model}>
            <div className={styles.model}>
              <code className="isolate">{visibleText(each.model)}</code>
              <span className="faint">
                {formatCompact(Number(each.prompt_tokens.text))} tokens in,{' '}
                {formatCompact(Number(each.completion_tokens.text))} out
              </span>
              <span className="grow" />
              {openModel !== each.model && (
                <Button
                  variant="default"
                  aria-label={`Set price for ${each.model}`}
                  onClick={() => onOpenModel(each.model)}
                >
                  Set price
                </Button>
              )}
            </div>
            {openModel === each.model && (
              <PriceForm project={project} model={each.model} onDone={() => onOpenModel(undefined)} />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
