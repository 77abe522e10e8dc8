import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import { type Project, projectParams } from '../api/project.ts'
import { Icon } from '../ui/icon.tsx'
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
      <span className={styles.space} />
      <Link
        className={styles.manage}
        to="/$entity/$project/weave/settings"
        params={projectParams(project)}
        search={{ tab: 'scores' }}
      >
        Edit scores
      </Link>
      <Button
        variant="subtle"
        size="compact-xs"
        leftSection={<Icon name="plus" size={12} />}
        onClick={() => setCreating(true)}
      >
        New score
      </Button>
      <SpecDialog project={project} isOpen={isCreating} onClose={() => setCreating(false)} />
    </div>
  )
}
