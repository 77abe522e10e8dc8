import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { withinLimit } from './waits.ts'

/**
 * Takes a screenshot for docs/images if `--images` is given. As WebP, which Playwright does not write: a fifth of the size of
 * PNG, so that the docs can include it.
 */
export async function docsImage(page: Page, name: string): Promise<void> {
  const directory = process.env['HEDDLE_JOURNEY_IMAGES']
  if (directory === undefined) return
  mkdirSync(directory, { recursive: true })
  const session = await page.context().newCDPSession(page)
  // Chromium answers with its next frame, and may never draw one for a page in the background.
  await session.send('Page.bringToFront')
  const { data: image } = await withinLimit(
    `the screenshot ${name}`,
    page,
    session.send('Page.captureScreenshot', { format: 'webp', quality: 80 }),
  )
  writeFileSync(join(directory, `${name}.webp`), Buffer.from(image, 'base64'))
  await session.detach()
}
