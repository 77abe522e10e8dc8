import { Suspense } from 'react'
import { lazyComponent } from '../loading/lazy-component.ts'
import type { Project } from '../api/project.ts'
import { DeleteCalls } from './delete-calls.tsx'

const AddToDataset = lazyComponent(() => import('../datasets/add-to-dataset.tsx'), 'AddToDataset')

const AddToQueue = lazyComponent(() => import('../queues/add-to-queue.tsx'), 'AddToQueue')

const TagDialog = lazyComponent(() => import('./tag-dialog.tsx'), 'TagDialog')

/** What a dialog does with calls. A tag is for one call. */
export type CallAction = 'dataset' | 'queue' | 'tag' | 'delete'

interface Props {
  readonly project: Project
  readonly ids: readonly string[]
  /** No dialog is open if undefined. */
  readonly action: CallAction | undefined
  readonly onClose: () => void
  readonly onDeleted: () => void
}

/** The dialog of an action on calls, for the selection of a list and for an open trace. */
export function CallDialog({ project, ids, action, onClose, onDeleted }: Props) {
  return (
    <>
      <Suspense fallback={null}>
        {action === 'dataset' && <AddToDataset project={project} ids={ids} onClose={onClose} />}
        {action === 'tag' && <TagDialog project={project} callId={ids[0] ?? ''} onClose={onClose} />}
        {action === 'queue' && <AddToQueue project={project} ids={ids} onClose={onClose} />}
      </Suspense>
      <DeleteCalls
        project={project}
        ids={ids}
        isOpen={action === 'delete'}
        onClose={onClose}
        onDeleted={onDeleted}
      />
    </>
  )
}
