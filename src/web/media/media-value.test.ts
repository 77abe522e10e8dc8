import { expect, test } from 'vitest'
import { mediaAt } from './media-value.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

function found(value: unknown, text = JSON.stringify(value)) {
  return mediaAt(text, 0)
}

test('a data URL is media in any spelling', () => {
  const text = JSON.stringify(`data:image/png;base64,${PNG}`)
  expect(found(undefined, text)).toEqual({
    kind: 'inline',
    at: 0,
    end: text.length,
    encoding: 'data url',
    declaredType: 'image/png',
  })
  expect(found(undefined, text.replaceAll('/', String.raw`\/`))).toMatchObject({ declaredType: 'image/png' })
  expect(found('data:image/svg+xml,<svg/>')).toMatchObject({ declaredType: 'image/svg+xml' })
  expect(found('data:;base64,AAAA')).toMatchObject({ declaredType: 'text/plain' })
})

test.each([
  'http://example.invalid/x.png',
  'data: image/png',
  'data:text/html,<script>',
  'about data:image/png;base64,AAAA',
  'data:image/png;base64',
])('%s is not media', (text) => {
  expect(found(text)).toBeUndefined()
})

test('base64 with a type, in the formats of providers', () => {
  expect(found({ type: 'base64', media_type: 'image/png', data: PNG })).toMatchObject({
    encoding: 'base64',
    declaredType: 'image/png',
  })
  expect(found({ mime_type: 'image/webp', data: PNG })).toMatchObject({ declaredType: 'image/webp' })
  expect(found({ data: PNG, format: 'wav' })).toMatchObject({ declaredType: 'audio/wav' })
  expect(found({ id: 'audio_1', data: PNG, transcript: 'Hello' })).toMatchObject({ declaredType: 'audio' })
  const text = JSON.stringify({ mimeType: 'image/png', data: PNG })
  const media = mediaAt(text, 0)
  expect(media?.kind === 'inline' && JSON.parse(text.slice(media.at, media.end))).toBe(PNG)
})

test('similar objects are not media', () => {
  expect(found({ data: 'What do these numbers say?', format: 'text' })).toBeUndefined()
  expect(found({ type: 'base64', data: PNG })).toBeUndefined()
  expect(found({ data: { format: 'wav' }, format: 'wav' })).toBeUndefined()
  expect(found({ type: 'text', text: PNG })).toBeUndefined()
  expect(found([PNG])).toBeUndefined()
})

test('custom types of Weave reference a stored file', () => {
  const image = {
    _type: 'CustomWeaveType',
    weave_type: { type: 'PIL.Image.Image' },
    files: { 'image.png': 'd1' },
  }
  expect(found(image)).toEqual({
    kind: 'stored',
    declaredType: 'PIL.Image.Image',
    file: { name: 'image.png', digest: 'd1' },
    metadataFile: undefined,
  })
  const type = 'weave.type_wrappers.Content.content.Content'
  const files = { 'metadata.json': 'd2', content: 'd3' }
  expect(found({ _type: 'CustomWeaveType', weave_type: { type }, files })).toMatchObject({
    file: { name: 'content', digest: 'd3' },
    metadataFile: { name: 'metadata.json', digest: 'd2' },
  })
  const sound = { '_metadata.json': 'd4', 'audio.wav': 'd5' }
  expect(
    found({ _type: 'CustomWeaveType', weave_type: { type: 'wave.Wave_read' }, files: sound }),
  ).toMatchObject({ file: { name: 'audio.wav' }, metadataFile: undefined })
})

test('code, and custom types without files, are not media', () => {
  expect(
    found({ _type: 'CustomWeaveType', weave_type: { type: 'Op' }, files: { 'obj.py': 'd' } }),
  ).toBeUndefined()
  expect(found({ _type: 'CustomWeaveType', weave_type: { type: 'datetime' }, val: 1 })).toBeUndefined()
  expect(found({ _type: 'CustomWeaveType', weave_type: null, files: { a: 'd' } })).toBeUndefined()
  expect(found({ _type: 'CustomWeaveType', weave_type: { type: 'x' }, files: { a: 7 } })).toBeUndefined()
  expect(found({ inner: { _type: 'CustomWeaveType' } })).toBeUndefined()
})
