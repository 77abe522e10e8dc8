import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { BenchOptions } from '../options.ts'
import { type Measured, measurePart, microsPerCall, sum, warmUp } from './measure.ts'
import { rounded, startMeasuredServer } from './measured-server.ts'
import { type Part, selectParts } from './parts.ts'

const ROUNDS = 3

/**
 * `npm run bench -- compare --base REV`: measures the compiled Heddle of another Git revision and this one in turns, with
 * the same load. Ratios are the CPU per call of this build / of the other one, until all merges are done.
 */
export async function benchCompare({ seconds, base, only, print }: BenchOptions): Promise<object> {
  const directory = await mkdtemp(join(tmpdir(), 'heddle-bench-base-'))
  try {
    print(`building ${base} …`)
    await buildRevision(base, directory)
    const results: Record<string, object> = {}
    for (const [name, part] of selectParts(only)) {
      const { before, after } = await measureBoth(part, directory, seconds)
      const [old, now] = [microsPerCall(before), microsPerCall(after)]
      const result = {
        ratioCpu: rounded(now.total / old.total),
        ratioApiCpu: rounded(now.api / old.api),
        ratioClickhouseCpu: rounded(now.clickhouse / old.clickhouse),
        before: { ...old, ...rate(before) },
        after: { ...now, ...rate(after) },
      }
      results[name] = result
      print(`${name}: CPU ${result.ratioCpu} of ${base}; ${JSON.stringify(result)}`)
    }
    return { base, results }
  } finally {
    await rm(directory, { recursive: true, force: true })
    // Forgets the worktree, also if it was not complete; what failed is the error to report.
    execFileSync('git', ['worktree', 'prune'], { stdio: 'ignore' })
  }
}

const rate = ({ calls, seconds, p50Ms, p99Ms, maxRssMib }: Measured) => ({
  callsPerSecond: Math.round(calls / seconds),
  p50Ms,
  p99Ms,
  maxRssMib,
})

async function buildRevision(revision: string, directory: string): Promise<void> {
  const run = (command: string, ...args: string[]): void =>
    void execFileSync(command, args, { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] })
  execFileSync('git', ['worktree', 'add', '--detach', '--force', directory, revision], { stdio: 'ignore' })
  const [ours, theirs] = await Promise.all(
    ['.', directory].map((each) => readFile(join(each, 'package-lock.json'), 'utf8')),
  )
  if (ours === theirs) await symlink(resolve('node_modules'), join(directory, 'node_modules'))
  else run('npm', 'ci')
  run('npm', 'run', 'build')
}

/** Both servers live for the whole part; one stands still while the other is measured. */
async function measureBoth(
  part: Part,
  baseBuild: string,
  seconds: number,
): Promise<{ before: Measured; after: Measured }> {
  const base = await startMeasuredServer(undefined, baseBuild)
  const current = await startMeasuredServer()
  try {
    const before: Measured[] = []
    const after: Measured[] = []
    await current.whilePaused(() => warmUp(base, part))
    await base.whilePaused(() => warmUp(current, part))
    for (let round = 0; round < ROUNDS; round++) {
      before.push(await current.whilePaused(() => measurePart(base, part, seconds / ROUNDS)))
      after.push(await base.whilePaused(() => measurePart(current, part, seconds / ROUNDS)))
    }
    return { before: sum(before), after: sum(after) }
  } finally {
    await base.stop()
    await current.stop()
  }
}
