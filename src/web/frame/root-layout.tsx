import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { startKeyListener } from '../shortcuts/shortcuts.ts'
import { ConnectionBanner } from './connection-banner.tsx'
import { ShortcutSheet } from './shortcut-sheet.tsx'

/** The layout of all pages, including those without a project. */
export function RootLayout() {
  useEffect(() => startKeyListener(), [])
  return (
    <>
      <ConnectionBanner />
      <Outlet />
      <ShortcutSheet />
    </>
  )
}
