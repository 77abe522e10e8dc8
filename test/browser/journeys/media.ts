import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { Locator } from '@playwright/test'
import { RawJson } from '../../../src/contract/raw-json.ts'
import { watchStolenTime } from '../../stolen-time.ts'
import { MEDIA, png, seedMedia } from '../media-seed.ts'
import { test } from '../fixtures.ts'
import { waitUntil } from '../waits.ts'
import { seriousViolations } from '../axe.ts'

/** The size of an image, once it is displayed. */
async function sizeOf(image: Locator): Promise<string> {
  await image.waitFor()
  await waitUntil('the image is displayed', () =>
    image.evaluate((element) => (element as HTMLImageElement).naturalWidth > 0),
  )
  return image.evaluate((element) => {
    const { naturalWidth, naturalHeight } = element as HTMLImageElement
    return `${naturalWidth}x${naturalHeight}`
  })
}

/** Images and audio are displayed; content that only declares to be media stays text. */

test('images and audio of a conversation are shown', async ({ page, url, api }) => {
  await seedMedia(api)
  await page.goto(`${url}/${MEDIA}/weave/calls/media-talk`)
  const talk = page.getByRole('list', { name: 'Conversation' })
  const image = (part: number) => talk.getByRole('img', { name: `Image at message 1, part ${part}` })
  assert.equal(await sizeOf(image(2)), '320x200')
  assert.equal(await sizeOf(image(3)), '120x160')
  assert.equal(await sizeOf(image(4)), '200x90')
  await talk.getByText('PNG image · 320 × 200 · ').waitFor()
  const sound = talk.getByLabel('Audio at message 1, part 5')
  await waitUntil('the audio is loaded', () =>
    sound.evaluate((element) => Math.abs((element as HTMLAudioElement).duration - 0.5) < 0.01),
  )
  // Enlarges the image with the keyboard.
  await page.getByRole('button', { name: 'Image at message 1, part 2: enlarge' }).focus()
  const before = await image(2).boundingBox()
  assert.ok((before?.width ?? 0) > 0, 'it is shown')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Image at message 1, part 2: shrink' }).waitFor()
  // When the call is read again, the image has no size until it is decoded.
  await waitUntil('it has become larger', async () => {
    const after = await image(2).boundingBox()
    return (after?.width ?? 0) > (before?.width ?? Infinity)
  })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download message 1, part 2' }).click(),
  ])
  assert.equal(download.suggestedFilename(), 'image.png')
  assert.deepEqual(readFileSync(await download.path()), png(320, 200, [196, 60, 50]))
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    await page.reload()
    await sizeOf(image(2))
    await sound.waitFor()
    await page.waitForTimeout(300)
    assert.deepEqual(await seriousViolations(page), [])
  }
})

test('an image stays large and focused when its running call ends', async ({ page, url, api }) => {
  const id = 'media-running'
  const image = `data:image/png;base64,${png(320, 200, [196, 60, 50]).toString('base64')}`
  const started_at = new Date().toISOString()
  await api.call('call_start', {
    start: {
      project_id: MEDIA,
      id,
      trace_id: id,
      op_name: 'draw',
      started_at,
      inputs: RawJson.fromValue({ image }),
    },
  })
  await page.goto(`${url}/${MEDIA}/weave/calls/${id}`)
  await page.getByText('Running…').first().waitFor()
  await page.getByRole('button', { name: 'Image at inputs.image: enlarge' }).press('Enter')
  const enlarged = page.getByRole('button', { name: 'Image at inputs.image: shrink' })
  await enlarged.waitFor()
  const ended_at = new Date().toISOString()
  await api.call('call_end', {
    end: { project_id: MEDIA, id, ended_at, output: RawJson.fromValue('drawn') },
  })
  await page.getByText('drawn').first().waitFor()
  await sizeOf(page.getByRole('img', { name: 'Image at inputs.image' }))
  assert.ok(await enlarged.evaluate((element) => element === document.activeElement), 'it has the focus')
})

test('SDK values are shown from their stored files, next to their JSON', async ({ page, url, api }) => {
  await seedMedia(api)
  await page.setViewportSize({ width: 1440, height: 360 })
  await page.goto(`${url}/${MEDIA}/weave/calls/media-stored`)
  const call = page.getByRole('article')
  assert.equal(await sizeOf(call.getByRole('img', { name: 'Image at inputs.image' })), '120x160')
  // Media outside the viewport is not loaded.
  assert.equal(await call.getByRole('img', { name: 'Image at output' }).count(), 0)
  await page.setViewportSize({ width: 1440, height: 900 })
  assert.equal(await sizeOf(call.getByRole('img', { name: 'Image at inputs.photo' })), '320x200')
  await call.getByRole('figure', { name: 'Media at output' }).scrollIntoViewIfNeeded()
  assert.equal(await sizeOf(call.getByRole('img', { name: 'Image at output' })), '200x90')
  await call.getByLabel('Audio at inputs.sound').waitFor()
  // The bytes are a PNG, although the name says JPEG.
  await call.getByText('cloth.jpeg').waitFor()
  await call.getByText(/^PNG image · 320 × 200 · .* · cloth\.jpeg$/).waitFor()
  // The JSON around it is one key away.
  await page.keyboard.press('m')
  await call.getByRole('button', { name: 'image: expand', exact: true }).click()
  await call.getByText('CustomWeaveType').waitFor()
  await call.getByText(/could not be loaded/).waitFor()
  // HTML is shown as source, never rendered, and downloaded with a name without directories.
  const part = call.getByRole('figure', { name: 'Media at inputs.page' })
  await part.getByText('“text/html” · 117 B · ../page.html').waitFor()
  await part.getByText('View as text').click()
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
  assert.equal(readFileSync(await clip.path(), 'utf8'), 'not read alone')
  assert.notEqual(await page.title(), 'owned')
})

test('content that only declares to be an image is text, and no other host is contacted', async ({
  page,
  url,
  api,
}) => {
  await seedMedia(api)
  const asked: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('blob:')) asked.push(request.url())
  })
  await page.goto(`${url}/${MEDIA}/weave/calls/media-hostile`)
  const talk = page.getByRole('list', { name: 'Conversation' })
  const first = talk.getByRole('figure', { name: 'Media at message 1, part 1' })
  await first.getByText('Declared as “image/png”, but the bytes are not a supported image').waitFor()
  await first.getByText('View as text').click()
  await first.getByText('<svg xmlns=').waitFor()
  await talk.getByText('http://example.invalid/spy.png').waitFor()
  await talk.getByText('javascript:document.title="owned"').waitFor()
  await talk.getByRole('button', { name: 'Copy URL' }).first().click()
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'http://example.invalid/spy.png')
  await talk.getByText('The image cannot be displayed').waitFor()
  await talk.getByText('could not be loaded: not valid base64').waitFor()
  await page.getByRole('button', { name: /^Inputs/ }).click()
  for (const figure of await page.getByRole('figure').all()) await figure.scrollIntoViewIfNeeded()
  await waitUntil('everything is loaded', async () => (await page.getByText('Loading').count()) === 0)
  assert.equal(await page.getByRole('article').locator('img, iframe, object, embed, svg[onload]').count(), 0)
  assert.deepEqual(asked, [])
  assert.notEqual(await page.title(), 'owned')
  assert.deepEqual(await seriousViolations(page), [])
})

// It asserts a duration, which a busy machine can miss.
test.describe(() => {
  test.describe.configure({ retries: 2 })
  test('a large image is loaded on request, without blocking the page', async ({ page, url, api }) => {
    await seedMedia(api)
    await page.goto(`${url}/${MEDIA}/weave/calls/media-large`)
    const call = page.getByRole('article')
    await call.getByText(/“image\/png”, 6\.0 MB/).waitFor()
    await call.getByText(/“PIL\.Image\.Image”, 6\.0 MB/).waitFor()
    assert.equal(await call.getByRole('img', { name: /^Image at/ }).count(), 0)
    const slowdownSinceStart = watchStolenTime()
    // Long tasks of the page load are not counted.
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
        .getByRole('button', { name: 'Show', exact: true })
        .click()
      assert.equal(await sizeOf(call.getByRole('img', { name: `Image at inputs.${path}` })), '320x200')
    }
    const ms = await page.evaluate(() =>
      Math.max(0, ...(globalThis as unknown as { stalls: number[] }).stalls),
    )
    assert.ok(ms <= 200 * slowdownSinceStart(), `stalled for ${ms} ms`)
  })
})
