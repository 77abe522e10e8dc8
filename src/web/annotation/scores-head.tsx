import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import { type Project, projectParams } from '../api/project.ts'
import { ActionButton } from '../ui/action-button.tsx'
import styles from './scores-head.module.css'
import { SpecDialog } from './spec-dialog.tsx'

interface Props {
  readonly project: Project
  readonly hasScores: boolean
  readonly isReady: boolean
}

/** The header of the scores, with the button that creates one. */
export function ScoresHead({ project, hasScores, isReady }: Props) {
  const [isCreating, setCreating] = useState(false)
  return (
    <div className={styles.head}>
      <h3 className={styles.title}>Scores</h3>
      {isReady && !hasScores && (
        <p className={styles.empty}>
          No scores yet. A score asks every reviewer the same question: pass or fail, a rating, or a choice.
        </p>
      )}
      <span className="grow" />
      <Link
        className="hint"
        to="/$entity/$project/weave/settings"
        params={projectParams(project)}
        search={{ tab: 'scores' }}
      >
        Edit scores
      </Link>
      <ActionButton variant="subtle" size="compact-xs" icon="plus" onClick={() => setCreating(true)}>
        New score
      </ActionButton>
      <SpecDialog
        project={project}
        spec={isCreating ? 'new' : undefined}
        onClose={() => setCreating(false)}
      />
    </div>
  )
}
