import type { Project } from '../api/project.ts'
import { useCall } from '../call/use-call.ts'
import { useFeedback } from '../annotation/use-feedback.ts'

/** Shows nothing: it reads a call and what was said of it, so that both are there when somebody gets to it. */
export function ReadAhead({ project, callId }: { readonly project: Project; readonly callId: string }) {
  useCall(project, callId, undefined)
  useFeedback(project, callId)
  return null
}
