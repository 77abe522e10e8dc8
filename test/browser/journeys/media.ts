import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Locator } from 'playwright-core'
import { MEDIA, png, seedMedia } from '../media-seed.ts'
import { journey, until } from '../environment.ts'
import { faults } from './accessibility.ts'

/** The size of an image once it is drawn. */
async function sizeOf(image: Locator): Promise<string> {
  await image.waitFor()
  await until('the image is drawn', () =>
    image.evaluate((element) => (element as HTMLImageElement).naturalWidth > 0),
  )
  return image.evaluate((element) => {
    const { naturalWidth, naturalHeight } = element as HTMLImageElement
    return `${naturalWidth}x${naturalHeight}`
  })
}

/** Images and sounds are seen and heard; what only says that it is one stays text. */
export const media = [
  journey('images and sounds of a conversation are shown', async ({ page, url, api }) => {
    await seedMedia(api)
    await page.goto(`${url}/${MEDIA}/weave/calls/media-talk`)
    const talk = page.getByRole('list', { name: 'Conversation' })
    const image = (part: number) => talk.getByRole('img', { name: `Image at message 1, part ${part}` })
    assert.equal(await sizeOf(image(2)), '320x200')
    assert.equal(await sizeOf(image(3)), '120x160')
    assert.equal(await sizeOf(image(4)), '200x90')
    await talk.getByText('PNG image · 320 × 200 · ').waitFor()
    const sound = talk.getByLabel('Sound at message 1, part 5')
    await until('the sound is read', () =>
      sound.evaluate((element) => Math.abs((element as HTMLAudioElement).duration - 0.5) < 0.01),
    )
    // From small to large, without the mouse.
    await page.getByRole('button', { name: 'Image at message 1, part 2: enlarge' }).focus()
    const before = await image(2).boundingBox()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Image at message 1, part 2: make it small' }).waitFor()
    const after = await image(2).boundingBox()
    assert.ok((after?.width ?? 0) > (before?.width ?? 0), 'it has become larger')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download message 1, part 2' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'image.png')
    assert.deepEqual(readFileSync(await download.path()), png(320, 200, [196, 60, 50]))
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      await page.reload()
      await sizeOf(image(2))
      await sound.waitFor()
      await page.waitForTimeout(300)
      assert.deepEqual(await faults(page), [])
    }
  }),
  journey('values of SDKs are shown out of their files, beside their JSON', async ({ page, url, api }) => {
    await seedMedia(api)
    await page.setViewportSize({ width: 1440, height: 360 })
    await page.goto(`${url}/${MEDIA}/weave/calls/media-stored`)
    const call = page.getByRole('article')
    assert.equal(await sizeOf(call.getByRole('img', { name: 'Image at inputs.image' })), '120x160')
    // Bytes are read where somebody looks.
    assert.equal(await call.getByRole('img', { name: 'Image at output' }).count(), 0)
    await page.setViewportSize({ width: 1440, height: 900 })
    assert.equal(await sizeOf(call.getByRole('img', { name: 'Image at inputs.photo' })), '320x200')
    await call.getByRole('figure', { name: 'Media at output' }).scrollIntoViewIfNeeded()
    assert.equal(await sizeOf(call.getByRole('img', { name: 'Image at output' })), '200x90')
    await call.getByLabel('Sound at inputs.sound').waitFor()
    // Its bytes are a PNG, whatever it calls itself.
    await call.getByText('cloth.jpeg').waitFor()
    await call.getByText(/^PNG image · 320 × 200 · .* · cloth\.jpeg$/).waitFor()
    await call.getByRole('button', { name: 'image: open', exact: true }).click()
    await call.getByText('CustomWeaveType').waitFor()
    await call.getByText(/cannot be read/).waitFor()
    // HTML is read, never drawn, and saved under a name without a folder.
    const part = call.getByRole('figure', { name: 'Media at inputs.page' })
    await part.getByText('“text/html” · 117 B · ../page.html').waitFor()
    await part.getByText('Its bytes as text').click()
    await part.getByText('<script>document.title="owned"</script>').waitFor()
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download inputs.page' }).click(),
    ])
    assert.equal(saved.suggestedFilename(), 'page.html')
    const [clip] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download inputs.clip' }).click(),
    ])
    assert.equal(readFileSync(await clip.path(), 'utf8'), 'not read by itself')
    assert.notEqual(await page.title(), 'owned')
  }),
  journey('what only says that it is an image is text, and nobody else is asked', async (world) => {
    const { page, url, api } = world
    await seedMedia(api)
    const asked: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(url) && !request.url().startsWith('blob:')) asked.push(request.url())
    })
    await page.goto(`${url}/${MEDIA}/weave/calls/media-hostile`)
    const talk = page.getByRole('list', { name: 'Conversation' })
    const first = talk.getByRole('figure', { name: 'Media at message 1, part 1' })
    await first.getByText('Said to be “image/png”, but its bytes are no image or sound').waitFor()
    await first.getByText('Its bytes as text').click()
    await first.getByText('<svg xmlns=').waitFor()
    await talk.getByText('http://example.invalid/spy.png').waitFor()
    await talk.getByText('javascript:document.title="owned"').waitFor()
    await talk.getByRole('button', { name: 'Copy the address' }).first().click()
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'http://example.invalid/spy.png')
    await talk.getByText('The browser cannot draw it').waitFor()
    await talk.getByText('cannot be read: it is no base64').waitFor()
    await page.getByRole('button', { name: /^Inputs/ }).click()
    for (const figure of await page.getByRole('figure').all()) await figure.scrollIntoViewIfNeeded()
    await until('all of it is read', async () => (await page.getByText('Reading').count()) === 0)
    assert.equal(
      await page.getByRole('article').locator('img, iframe, object, embed, svg[onload]').count(),
      0,
    )
    assert.deepEqual(asked, [])
    assert.notEqual(await page.title(), 'owned')
    assert.deepEqual(await faults(page), [])
  }),
  journey('a large image waits until somebody wants it, and stalls nothing', async ({ page, url, api }) => {
    await seedMedia(api)
    await page.goto(`${url}/${MEDIA}/weave/calls/media-large`)
    const call = page.getByRole('article')
    await call.getByText(/“image\/png”, 6\.0 MB/).waitFor()
    await call.getByText(/“PIL\.Image\.Image”, 6\.0 MB/).waitFor()
    assert.equal(await call.getByRole('img', { name: /^Image at/ }).count(), 0)
    // What it took to open the page is not the image's doing.
    await page.evaluate(() => {
      const stalls: number[] = []
      Object.assign(globalThis, { stalls })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) stalls.push(entry.duration)
      }).observe({ type: 'longtask' })
    })
    for (const path of ['image', 'stored']) {
      await call
        .getByRole('figure', { name: `Media at inputs.${path}` })
        .getByRole('button', { name: 'Show it' })
        .click()
      assert.equal(await sizeOf(call.getByRole('img', { name: `Image at inputs.${path}` })), '320x200')
    }
    const ms = await page.evaluate(() =>
      Math.max(0, ...(globalThis as unknown as { stalls: number[] }).stalls),
    )
    assert.ok(ms <= 200, `stalled for ${ms} ms`)
  }),
]
