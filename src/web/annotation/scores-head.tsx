import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Project } from '../api/project.ts'
import { Icon } from '../ui/icon.tsx'
import styles from './scores-head.module.css'
import { SpecDialog } from './spec-dialog.tsx'

interface Props {
  readonly project: Project
  readonly hasScores: boolean
  readonly isReady: boolean
}

export function ScoresHead({ project, hasScores, isReady }: Props) {
  const [isMaking, setMaking] = useState(false)
  return (
    <div className={styles.head}>
      <h3 className={styles.title}>Scores</h3>
      {isReady && !hasScores && (
        <p className={styles.none}>
          None yet. A score asks everyone the same: pass or fail, 1 to 5, one of these.
        </p>
      )}
      <Button
        variant="subtle"
        size="compact-xs"
        leftSection={<Icon name="plus" size={12} />}
        onClick={() => setMaking(true)}
      >
        New score
      </Button>
      <SpecDialog project={project} isOpen={isMaking} onClose={() => setMaking(false)} />
    </div>
  )
}
