import { createHash } from 'node:crypto'
import type { S3Disk } from '../../clickhouse/s3-disks.ts'
import type { BackupTarget } from '../../service/backup/backup-target.ts'
import { forEachConcurrently } from '../../service/backup/hash-files.ts'
import type { BackupDestination } from '../../store/backup/backup-statements.ts'
import { encode, sendS3 } from './s3-request.ts'

/** Backups in S3-compatible storage, which ClickHouse knows as a disk of the type `s3_plain`: its paths are keys. */
export class S3Target implements BackupTarget {
  readonly name: string
  readonly #s3: S3Disk
  readonly #disk: string
  /** URL of the bucket, without the prefix. */
  readonly #bucketUrl: string
  readonly #prefix: string

  constructor(name: string, s3: S3Disk, disk: string) {
    this.name = name
    this.#s3 = s3
    this.#disk = disk
    const { origin, pathname } = new URL(s3.url)
    const [bucket = '', ...prefix] = pathname.slice(1).split('/')
    this.#bucketUrl = `${origin}/${bucket}`
    this.#prefix = prefix.join('/')
  }

  destination(id: string): BackupDestination {
    return { type: 'disk', disk: this.#disk, path: id }
  }

  async list(): Promise<string[]> {
    const names: string[] = []
    for await (const page of this.#pages({ prefix: this.#prefix, delimiter: '/' })) {
      for (const { key } of contents(page)) names.push(key.slice(this.#prefix.length))
      for (const [, prefix = ''] of page.matchAll(/<CommonPrefixes>.*?<Prefix>(.*?)<\/Prefix>/gs))
        names.push(decodeXml(prefix).slice(this.#prefix.length).replace(/\/$/, ''))
    }
    return names
  }

  async listFiles(id: string): Promise<{ path: string; size: number }[]> {
    const prefix = `${this.#prefix}${id}/`
    const files: { path: string; size: number }[] = []
    for await (const page of this.#pages({ prefix }))
      for (const { key, size } of contents(page)) files.push({ path: key.slice(prefix.length), size })
    return files
  }

  async readText(path: string): Promise<string | undefined> {
    const response = await this.#send('GET', path)
    const text = await response.text()
    return response.status === 404 ? undefined : text
  }

  async writeText(path: string, text: string): Promise<void> {
    const response = await this.#send('PUT', path, text)
    await response.body?.cancel()
    if (response.status === 404) throw new Error(`the bucket of ${this.name} does not exist; create it first`)
  }

  async hash(path: string): Promise<{ sha256: string; size: number } | undefined> {
    const response = await this.#send('GET', path)
    if (response.status === 404 || response.body === null) {
      await response.body?.cancel()
      return undefined
    }
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of response.body) {
      hash.update(chunk)
      size += chunk.length
    }
    return { sha256: hash.digest('hex'), size }
  }

  async remove(path: string): Promise<void> {
    await (await this.#send('DELETE', path)).body?.cancel()
  }

  async removeAll(id: string): Promise<void> {
    await forEachConcurrently(await this.listFiles(id), ({ path }) => this.remove(`${id}/${path}`))
  }

  #send(method: 'GET' | 'PUT' | 'DELETE', path: string, body?: string): Promise<Response> {
    const key = `${this.#prefix}${path}`.split('/').map(encode).join('/')
    const url = new URL(`${this.#bucketUrl}/${key}`)
    return sendS3(this.#s3, { method, url, ...(body === undefined ? {} : { body }) })
  }

  async *#pages(query: Readonly<Record<string, string>>): AsyncGenerator<string> {
    for (let token: string | undefined = ''; token !== undefined;) {
      const parameters: Record<string, string> = { 'list-type': '2', ...query }
      if (token !== '') parameters['continuation-token'] = token
      const search = Object.entries(parameters).map(([name, value]) => `${encode(name)}=${encode(value)}`)
      const response = await sendS3(this.#s3, {
        method: 'GET',
        url: new URL(`${this.#bucketUrl}?${search.join('&')}`),
      })
      if (response.status === 404)
        throw new Error(
          `the bucket of ${this.name} does not exist; create it, or correct HEDDLE_BACKUP_TARGET`,
        )
      const page = await response.text()
      yield page
      const next = /<NextContinuationToken>(.*?)<\/NextContinuationToken>/.exec(page)?.[1]
      token = next === undefined ? undefined : decodeXml(next)
    }
  }
}

function contents(page: string): { key: string; size: number }[] {
  return [...page.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, entry = '']) => ({
    key: decodeXml(/<Key>(.*?)<\/Key>/s.exec(entry)?.[1] ?? ''),
    size: Number(/<Size>(\d+)<\/Size>/.exec(entry)?.[1] ?? 0),
  }))
}

function decodeXml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
