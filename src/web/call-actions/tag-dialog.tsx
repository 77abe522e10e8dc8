import { TAG_FEEDBACK } from '../../client/browser/call-fields.ts'
import { TagsInput } from '@mantine/core'
import { JsonText } from '../../client/browser/json-text.ts'
import { feedbackContent } from '../annotation/feedback-record.ts'
import { useFeedback } from '../annotation/use-feedback.ts'
import type { Project } from '../api/project.ts'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'

const MAX_TAG_CHARACTERS = 100

interface Props {
  readonly project: Project
  readonly callId: string
  readonly onClose: () => void
}

/** Tags a call. Each tag is a feedback record, so that it has an author and a time. */
export function TagDialog({ project, callId, onClose }: Props) {
  const feedback = useFeedback(project, callId)
  const records = (feedback.records ?? []).flatMap((record) => {
    const content = feedbackContent(record)
    return content.kind === 'tag' ? [{ record, tag: content.tag }] : []
  })
  const tags = [...new Set(records.map(({ tag }) => tag))].toReversed()
  const change = (next: readonly string[]): void => {
    for (const tag of next)
      if (!tags.includes(tag))
        feedback.add({
          feedback_type: TAG_FEEDBACK,
          payload: JsonText.of({ tag: tag.slice(0, MAX_TAG_CHARACTERS) }),
        })
    for (const { record, tag } of records) if (!next.includes(tag)) feedback.remove(record)
  }
  return (
    <Dialog title="Tag call" onClose={onClose} size="sm">
      <TagsInput
        label="Tags"
        description="Press Enter after each tag. They are feedback on the call, beside the tags that the app sent."
        data-autofocus
        value={tags}
        onChange={change}
        disabled={feedback.records === undefined}
        clearable
      />
      {feedback.saveError !== null && <ErrorNotice error={feedback.saveError} />}
      {feedback.loadError !== null && <ErrorNotice error={feedback.loadError} />}
    </Dialog>
  )
}
