import type { Project } from '../api/project.ts'
import { useCall } from '../call/use-call.ts'
import { useFeedback } from '../annotation/use-feedback.ts'

/** Renders nothing. Prefetches a call and its feedback into the query cache. */
export function PrefetchCall({ project, callId }: { readonly project: Project; readonly callId: string }) {
  useCall(project, callId, undefined)
  useFeedback(project, callId)
  return null
}
