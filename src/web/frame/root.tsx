import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { listenToKeys } from '../shortcuts/shortcuts.ts'
import { ConnectionBanner } from './connection-banner.tsx'
import { ShortcutSheet } from './shortcut-sheet.tsx'

/** Around every page, also those without a project. */
export function Root() {
  useEffect(() => listenToKeys(), [])
  return (
    <>
      <ConnectionBanner />
      <Outlet />
      <ShortcutSheet />
    </>
  )
}
