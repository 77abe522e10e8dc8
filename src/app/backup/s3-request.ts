import { createHash, createHmac } from 'node:crypto'
import type { S3Disk } from '../../clickhouse/s3-disks.ts'

/** Requests to S3-compatible storage, signed with AWS Signature Version 4. */

export interface S3Request {
  readonly method: 'GET' | 'PUT' | 'DELETE'
  readonly url: URL
  readonly body?: string
}

const TIMEOUT_MS = 60_000
const MAX_ATTEMPTS = 4
const FIRST_DELAY_MS = 200

/** The response, also of 404. Throws for other errors; those of the network and of the server are retried. */
export async function sendS3(disk: S3Disk, request: S3Request): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const failure = await attemptS3(disk, request)
    if (failure instanceof Response) return failure
    if (attempt === MAX_ATTEMPTS || !failure.isTransient) throw failure.error
    await new Promise((resolve) => setTimeout(resolve, FIRST_DELAY_MS * 2 ** attempt))
  }
}

interface Failure {
  readonly error: Error
  readonly isTransient: boolean
}

async function attemptS3(disk: S3Disk, request: S3Request): Promise<Response | Failure> {
  const { method, url, body = '' } = request
  const where = `${method} ${url.origin}${url.pathname}`
  try {
    const response = await fetch(url, {
      method,
      headers: signedHeaders(disk, request, new Date()),
      ...(method === 'PUT' ? { body } : {}),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (response.ok || response.status === 404) return response
    const reason = /<Message>([^<]*)/.exec(await response.text())?.[1] ?? ''
    return {
      error: new Error(`the storage of backups returned ${response.status} to ${where}: ${reason}`),
      isTransient: response.status >= 500 || response.status === 429,
    }
  } catch (error) {
    const reason =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    return {
      error: new Error(`the storage of backups cannot be reached (${where}): ${reason}`, { cause: error }),
      isTransient: true,
    }
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** Exported for its test, against the example in the documentation of S3. */
export function signedHeaders(
  { region, accessKeyId, secretAccessKey }: S3Disk,
  { method, url, body = '' }: S3Request,
  now: Date,
): Record<string, string> {
  const time = now.toISOString().replaceAll(/[-:]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const scope = `${day}/${region}/s3/aws4_request`
  const headers = { host: url.host, 'x-amz-content-sha256': sha256(body), 'x-amz-date': time }
  const names = Object.keys(headers).join(';')
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&')
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`)
  const canonical = [method, url.pathname, query, lines.join(''), names, sha256(body)].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`)
  const signature = createHmac('sha256', key)
    .update(`AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`)
    .digest('hex')
  return {
    'x-amz-content-sha256': headers['x-amz-content-sha256'],
    'x-amz-date': time,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  }
}

/** As S3 encodes names and values: everything but letters, digits and four signs. */
export function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
