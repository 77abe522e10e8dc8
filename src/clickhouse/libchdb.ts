import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** The path of ClickHouse's library. Of the packages with one per platform, npm installs that of this platform. */
export function libchdbPath(): string {
  const { platform, arch } = process
  const name = `@chdb/lib-${platform}-${arch}${platform === 'linux' ? '-gnu' : ''}`
  // The package itself loads an addon that is not used.
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
  return join(dirname(manifest), 'libchdb.so')
}
