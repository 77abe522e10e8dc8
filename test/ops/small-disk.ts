import { execFileSync } from 'node:child_process'
import { mkdirSync, rmdirSync } from 'node:fs'

/** A small disk of its own, for tests that fill one. */
export interface SmallDisk {
  readonly directory: string
  unmount(): void
}

/** Undefined where mounting is not permitted. */
export function mountSmallDisk(directory: string, mebibytes: number): SmallDisk | undefined {
  mkdirSync(directory)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'heddle-disk', directory], {
      stdio: 'pipe',
    })
  } catch {
    rmdirSync(directory)
    return undefined
  }
  return { directory, unmount: () => execFileSync('umount', [directory]) }
}
