import { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import { ApiError } from '../contract/api-error.ts'
import { MAX_FORM_PARTS } from './limits.ts'

/** Parses a multipart form into one object: text fields as strings, files as `Buffer`. */
export function readMultipart(body: Buffer, contentType: string): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const malformed = (cause: unknown): void =>
      reject(new ApiError('invalid_request', 'the body is not a valid multipart form', { cause }))
    try {
      const fields = Object.create(null) as Record<string, unknown>
      const form = new Busboy({
        headers: { 'content-type': contentType },
        // Busboy truncates fields beyond its limit silently. The body has a size limit already.
        limits: { parts: MAX_FORM_PARTS, fieldSize: body.length, fieldNameSize: 1_000 },
      })
      form.on('field', (name, value) => {
        fields[name] = value
      })
      form.on('file', (name, stream) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('error', malformed)
        stream.on('end', () => {
          fields[name] = Buffer.concat(chunks)
        })
      })
      form.on('partsLimit', () =>
        reject(new ApiError('too_large', `the form has more than ${MAX_FORM_PARTS} parts`)),
      )
      form.on('finish', () => resolve(fields))
      form.on('error', malformed)
      Readable.from(body, { objectMode: false }).pipe(form)
    } catch (error) {
      malformed(error)
    }
  })
}
