import type { ErrorComponentProps } from '@tanstack/react-router'
import { Failure } from '../ui/failure.tsx'

/** A page that threw: the frame stays, so that there is a way on. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  return (
    <main>
      <Failure error={error} retry={reset} />
    </main>
  )
}
