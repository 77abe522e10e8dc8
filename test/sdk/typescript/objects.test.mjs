// Objects, prompts, datasets, media.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import * as weave from 'weave'
import { post, start, stored } from './programs.mjs'

test('a plain object is published and read', async () => {
  const client = await start('object')
  const value = { a: 1, b: [1, 2.5, null, true], c: { deep: 'ü' } }
  const ref = await client.publish({ ...value }, 'settings')
  assert.deepEqual(await ref.get(), value)
  assert.deepEqual(await client.get(weave.ObjectRef.fromUri(ref.uri())), value)
})

test('digests are equal only for equal content', async () => {
  const client = await start('digest')
  const [a, b, c] = await Promise.all([1, 1, 2].map((n) => client.publish({ n }, 'same')))
  assert.equal(a.digest, b.digest)
  assert.notEqual(a.digest, c.digest)
})

test('an unknown object is an error', async () => {
  const client = await start('unknown')
  await assert.rejects(
    client.get(new weave.ObjectRef(client.projectId, 'never', 'latest')),
    (error) => error.status === 404 || /find object/.test(String(error)),
  )
})

test('an object of a class is stored with its class', async () => {
  const client = await start('class')
  class Recipe extends weave.WeaveObject {
    constructor(parameters) {
      super(parameters)
      this.steps = parameters.steps
    }
  }
  const ref = await client.publish(new Recipe({ name: 'soup', description: 'hot', steps: ['boil', 'eat'] }))
  const value = await ref.get()
  assert.equal(value._class_name, 'Recipe')
  assert.deepEqual(value.steps, ['boil', 'eat'])
  assert.equal(value.description, 'hot')
})

test('prompts format after reading', async () => {
  const client = await start('prompts')
  const text = await client.publish(new weave.StringPrompt({ name: 'cloth', content: 'Weave {what}.' }))
  assert.equal((await weave.StringPrompt.get(client, text.uri())).format({ what: 'linen' }), 'Weave linen.')
  const chat = await client.publish(
    new weave.MessagesPrompt({ name: 'chat', messages: [{ role: 'user', content: 'Hello {who}' }] }),
  )
  assert.deepEqual((await weave.MessagesPrompt.get(client, chat.uri())).format({ who: 'Ada' }), [
    { role: 'user', content: 'Hello Ada' },
  ])
})

test('an op is published with its code', async () => {
  const client = await start('op')
  const ref = await client.publish(
    weave.op(function triple(x) {
      return x * 3
    }),
  )
  const value = (
    await (
      await post('/obj/read', { project_id: client.projectId, object_id: 'triple', digest: ref.digest })
    ).json()
  ).obj.val
  const code = await (
    await post('/file/content', { project_id: client.projectId, digest: value.files['obj.py'] })
  ).text()
  assert.match(code, /x \* 3/)
})

const rows = (n) =>
  Array.from({ length: n }, (_, id) => ({ id, text: `row ${id}`, nested: { half: id / 2 } }))

test('a dataset is saved and read', async () => {
  const client = await start('dataset')
  const dataset = new weave.Dataset({ name: 'small', rows: rows(10) })
  const ref = await dataset.save()
  const read = await client.get(ref)
  assert.equal(read.length, 10)
  assert.deepEqual({ ...read.getRow(3), __savedRef: undefined }, { ...rows(10)[3], __savedRef: undefined })
})

test('a dataset of 2,500 rows is saved and read in order', async () => {
  const client = await start('large-dataset')
  const ref = await new weave.Dataset({ name: 'large', rows: rows(2_500) }).save()
  const read = await client.get(ref)
  const ids = []
  for await (const row of read) ids.push(row.id)
  assert.deepEqual(
    ids,
    rows(2_500).map((row) => row.id),
  )
})

test('a row of a dataset given to an op is stored as a ref', async () => {
  const client = await start('rows')
  const dataset = new weave.Dataset({ name: 'inputs', rows: rows(3) })
  await dataset.save()
  const use = weave.op(async function use(row) {
    return row.text
  })
  for (let i = 0; i < 3; i++) await use(dataset.getRow(i))
  const calls = await stored(client)
  assert.deepEqual(
    calls.map((call) => call.output),
    ['row 0', 'row 1', 'row 2'],
  )
  assert.match(calls[0].inputs.arg0, /\/id\//)
})

/** A single-color PNG, 8 × 8 pixels. */
function png() {
  const table = Array.from({ length: 256 }, (_, n) => {
    for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1
    return n >>> 0
  })
  const crc = (bytes) => ~bytes.reduce((c, byte) => table[(c ^ byte) & 255] ^ (c >>> 8), -1) >>> 0
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const ends = Buffer.alloc(8)
    ends.writeUInt32BE(data.length, 0)
    ends.writeUInt32BE(crc(body), 4)
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
  }
  const header = Buffer.from([0, 0, 0, 8, 0, 0, 0, 8, 8, 2, 0, 0, 0])
  const pixels = Buffer.concat(
    Array.from({ length: 8 }, () => Buffer.from([0, ...Array.from({ length: 24 }, () => 99)])),
  )
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

test('an image in inputs and output is stored byte for byte', async () => {
  const client = await start('image')
  const show = weave.op(async function show(image) {
    return image
  })
  await show(weave.weaveImage({ data: png() }))
  const [call] = await stored(client)
  const bytes = Buffer.from(
    await (
      await post('/file/content', { project_id: client.projectId, digest: call.output.files['image.png'] })
    ).arrayBuffer(),
  )
  assert.ok(bytes.equals(png()))
  assert.equal(call.output.weave_type.type, 'PIL.Image.Image')
})

test('audio is stored byte for byte', async () => {
  const client = await start('audio')
  const data = Buffer.from(Array.from({ length: 4_000 }, (_, n) => n % 256))
  const say = weave.op(async function say() {
    return weave.weaveAudio({ data })
  })
  await say()
  const [call] = await stored(client)
  const bytes = Buffer.from(
    await (
      await post('/file/content', { project_id: client.projectId, digest: call.output.files['audio.wav'] })
    ).arrayBuffer(),
  )
  assert.ok(bytes.equals(data))
})
