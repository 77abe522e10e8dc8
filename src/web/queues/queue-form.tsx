import { Button, Checkbox, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { Project } from '../api/project.ts'
import { SpecDialog } from '../annotation/spec-dialog.tsx'
import { useSpecs } from '../annotation/use-specs.ts'
import { Failure } from '../ui/failure.tsx'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import styles from './queue-form.module.css'
import { type Queue, useMakeQueue, useUpdateQueue } from './use-queues.ts'

interface Props {
  readonly project: Project
  /** The queue to change; without it a new one is made. */
  readonly queue?: Queue
  readonly onMade: (queue: Queue) => void
  readonly onCancel: () => void
}

/** What a queue is: its name, what to look at, and the scores that it asks for. */
export function QueueForm({ project, queue, onMade, onCancel }: Props) {
  const [name, setName] = useState(queue?.name ?? '')
  const [description, setDescription] = useState(queue?.description ?? '')
  const [scores, setScores] = useState<ReadonlySet<string>>(new Set(queue?.scores))
  const [isMaking, setMaking] = useState(false)
  const specs = useSpecs(project)
  const make = useMakeQueue(project)
  const update = useUpdateQueue(project)
  const failure = make.error ?? update.error
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (name.trim() === '') return
    const wanted = { name: name.trim(), description: description.trim(), scores: [...scores] }
    if (queue === undefined) make.mutate(wanted, { onSuccess: onMade })
    else update.mutate({ queue_id: queue.id, ...wanted }, { onSuccess: onMade })
  }
  const toggle = (object_id: string, isOn: boolean): void => {
    const next = new Set(scores)
    if (isOn) next.add(object_id)
    else next.delete(object_id)
    setScores(next)
  }
  return (
    <>
      <form className={styles.form} onSubmit={submit}>
        <TextInput
          data-autofocus
          label="Name"
          size="sm"
          maxLength={200}
          placeholder="Refund answers of this week"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Textarea
          label="What to look at"
          size="sm"
          autosize
          maxRows={6}
          maxLength={4000}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        <fieldset className={styles.scores}>
          <legend>Scores to give</legend>
          {(specs.data ?? []).map((spec) => (
            <Checkbox
              key={spec.object_id}
              label={<span className="foreign">{visibleText(spec.name)}</span>}
              checked={scores.has(spec.object_id)}
              onChange={(event) => toggle(spec.object_id, event.target.checked)}
            />
          ))}
          <p className={styles.hint}>
            {specs.data?.length === 0
              ? 'There are none yet; notes and reactions can always be given.'
              : scores.size === 0
                ? 'None chosen: all of them are asked for.'
                : ''}
          </p>
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={<Icon name="plus" size={12} />}
            onClick={() => setMaking(true)}
          >
            New score
          </Button>
        </fieldset>
        {failure !== null && <Failure error={failure} />}
        <div className={styles.actions}>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" disabled={name.trim() === ''} loading={make.isPending || update.isPending}>
            {queue === undefined ? 'Make the queue' : 'Save'}
          </Button>
        </div>
      </form>
      {/* Beside the form: what is submitted in the dialog must not submit the queue. */}
      <SpecDialog project={project} isOpen={isMaking} onClose={() => setMaking(false)} />
    </>
  )
}
