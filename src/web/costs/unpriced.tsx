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
  /** The one whose price is being written. */
  readonly opened: string | undefined
  readonly onOpen: (model: string | undefined) => void
}

/** Models that were used and have no price: what they cost is in no sum until somebody sets one. */
export function Unpriced({ project, unpriced, opened, onOpen }: Props) {
  if (unpriced.length === 0) return null
  return (
    <section className={styles.missing} aria-labelledby="unpriced">
      <h2 id="unpriced" className={styles.missingTitle}>
        <Icon name="warning" />
        {unpriced.length === 1 ? 'One model has no price' : `${unpriced.length} models have no price`}
      </h2>
      <p>What {unpriced.length === 1 ? 'it costs' : 'they cost'} is in none of the sums below.</p>
      <ul className={styles.models}>
        {unpriced.map((each) => (
          <li key={each.model}>
            <div className={styles.model}>
              <code className="foreign">{visibleText(each.model)}</code>
              <span className={styles.faint}>
                {formatCompact(Number(each.prompt_tokens.text))} tokens in,{' '}
                {formatCompact(Number(each.completion_tokens.text))} out
              </span>
              <span className={styles.space} />
              {opened !== each.model && (
                <Button
                  variant="default"
                  aria-label={`Set a price for ${each.model}`}
                  onClick={() => onOpen(each.model)}
                >
                  Set a price
                </Button>
              )}
            </div>
            {opened === each.model && (
              <PriceForm project={project} model={each.model} onDone={() => onOpen(undefined)} />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
