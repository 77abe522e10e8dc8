import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from '../ui/dialog.tsx'

/** Asks for confirmation before navigation discards a draft. */
export function UnsavedChangesGuard({ isDirty }: { readonly isDirty: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      title="Leave without publishing?"
      isOpen={blocker.status === 'blocked'}
      action="Leave"
      cancel="Keep editing"
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      Your changes to this dataset have not been published and will be lost.
    </ConfirmDialog>
  )
}
