import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { encodeTraces } from '../../test/otlp/encode.ts'
import { makeSpans, SEED } from '../otlp/spans.ts'
import { SpanTemplate } from '../otlp/templates.ts'

/** Writes export requests in protobuf for peers.py: `tsx bench/peers/write-bodies.ts DIRECTORY REQUESTS`. */

const SPANS = 100
const [directory = 'bodies', requests = '100'] = process.argv.slice(2)
await mkdir(directory, { recursive: true })
const template = new SpanTemplate(encodeTraces(makeSpans(SPANS, SEED, 'genai'), 'protobuf'), false)
for (let n = 0; n < Number(requests); n++)
  await writeFile(
    join(directory, `${String(n).padStart(6, '0')}.${SPANS}`),
    template.fill(1 + (Date.now() % 0x7fffff), n * SPANS),
  )
