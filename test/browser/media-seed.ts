import { crc32, deflateSync } from 'node:zlib'
import type { Client } from '../../src/client/client.ts'
import { RawJson } from '../../src/contract/raw-json.ts'

/** Calls with images, audio and files, as SDKs and providers write them, and with values that only claim to be media. */

export const MEDIA = 'admin/media'

/** A PNG image of one color. */
export function png(width: number, height: number, colour: readonly [number, number, number]): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const line = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, Buffer.from(colour))])
  const pixels = deflateSync(Buffer.concat(Array<Buffer>(height).fill(line)))
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), content])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** A WAV file with a tone of half a second. */
function wav(): Buffer {
  const rate = 8000
  const frames = Buffer.alloc(rate)
  for (let i = 0; i < rate / 2; i++) frames.writeInt16LE(Math.round(8000 * Math.sin(i / 3)), i * 2)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + frames.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(frames.length, 40)
  return Buffer.concat([head, frames])
}

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" onload="document.title=\'owned\'"><script>document.title="owned"</script></svg>'

let seeding: Promise<void> | undefined

/** Creates the calls once, when a journey first needs them. */
export function seedMedia(api: Client): Promise<void> {
  seeding ??= seed(api)
  return seeding
}

async function seed(api: Client): Promise<void> {
  const put = async (file: Buffer): Promise<string> =>
    (await api.call('file_create', { project_id: MEDIA, file })).digest
  const stored = async (type: string, files: Readonly<Record<string, Buffer>>): Promise<unknown> => {
    const named: Record<string, string> = {}
    for (const [name, bytes] of Object.entries(files)) named[name] = await put(bytes)
    return { _type: 'CustomWeaveType', weave_type: { type }, files: named }
  }
  const content = (bytes: Buffer, filename: string, mimetype: string): Promise<unknown> =>
    stored('weave.type_wrappers.Content.content.Content', {
      content: bytes,
      'metadata.json': Buffer.from(JSON.stringify({ size: bytes.length, mimetype, filename })),
    })
  const red = png(320, 200, [196, 60, 50])
  const blue = png(120, 160, [40, 110, 140])
  const gold = png(200, 90, [210, 160, 60])
  const dataUrl = (type: string, bytes: Buffer): string => `data:${type};base64,${bytes.toString('base64')}`
  // Bytes after the end of the image make the file large.
  const large = Buffer.concat([red, Buffer.alloc(6_000_000, 7)])
  await complete(api, 'media-talk', 'openai.chat.completions.create', {
    inputs: {
      model: 'gpt-4o',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is in these?' },
            { type: 'image_url', image_url: { url: dataUrl('image/png', red) } },
            {
              type: 'image',
              source: { type: 'base64', media_type: 'image/png', data: blue.toString('base64') },
            },
            { inline_data: { mime_type: 'image/png', data: gold.toString('base64') } },
            { type: 'input_audio', input_audio: { data: wav().toString('base64'), format: 'wav' } },
          ],
        },
      ],
    },
    output: { choices: [{ message: { role: 'assistant', content: 'Three colours and a tone.' } }] },
  })
  await complete(api, 'media-stored', 'look', {
    inputs: {
      image: await stored('PIL.Image.Image', { 'image.png': blue }),
      sound: await stored('wave.Wave_read', { 'audio.wav': wav(), '_metadata.json': Buffer.from('{}') }),
      photo: await content(red, 'cloth.jpeg', 'image/jpeg'),
      page: await content(Buffer.from(SVG), '../page.html', 'text/html'),
      clip: await stored('moviepy.editor.VideoClip', { 'video.mp4': Buffer.from('not read alone') }),
      gone: {
        _type: 'CustomWeaveType',
        weave_type: { type: 'PIL.Image.Image' },
        files: { 'image.png': 'gone' },
      },
    },
    output: dataUrl('image/png', gold),
  })
  await complete(api, 'media-hostile', 'openai.chat.completions.create', {
    inputs: {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: dataUrl('image/png', Buffer.from(SVG)) } },
            { type: 'image_url', image_url: { url: 'http://example.invalid/spy.png' } },
            { type: 'image_url', image_url: { url: 'javascript:document.title="owned"' } },
            {
              type: 'image_url',
              image_url: {
                url: dataUrl('image/png', Buffer.concat([red.subarray(0, 24), Buffer.from(SVG)])),
              },
            },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,%%%' } },
          ],
        },
      ],
    },
    output: { choices: [{ message: { role: 'assistant', content: 'No.' } }] },
  })
  await complete(api, 'media-large', 'look', {
    inputs: {
      image: dataUrl('image/png', large),
      stored: await stored('PIL.Image.Image', { 'image.png': large }),
    },
    output: null,
  })
}

async function complete(
  api: Client,
  id: string,
  op_name: string,
  payloads: { readonly inputs: unknown; readonly output: unknown },
): Promise<void> {
  const now = Date.now()
  await api.call('calls_complete', {
    entity: 'admin',
    project: 'media',
    batch: [
      {
        project_id: MEDIA,
        id,
        trace_id: id,
        op_name,
        started_at: new Date(now - 60_000).toISOString(),
        ended_at: new Date(now - 59_000).toISOString(),
        attributes: RawJson.fromValue({}),
        inputs: RawJson.fromValue(payloads.inputs),
        output: RawJson.fromValue(payloads.output),
        summary: RawJson.fromValue({}),
      },
    ],
  })
}
