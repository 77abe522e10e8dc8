import { Outlet } from '@tanstack/react-router'
import { ConnectionBanner } from './connection-banner.tsx'
import { PartialBanner } from './partial-banner.tsx'
import { ShortcutSheet } from './shortcut-sheet.tsx'
import { UpdateBanner } from './update-banner.tsx'

/** The layout of all pages, including those without a project. */
export function RootLayout() {
  return (
    <>
      <ConnectionBanner />
      <PartialBanner />
      <UpdateBanner />
      <Outlet />
      <ShortcutSheet />
    </>
  )
}
