import { readFileSync } from 'node:fs'

/** Processor time of all cores since boot, in ticks: what the host took from this virtual machine, and all of it. */
function processorTicks(): { readonly stolen: number; readonly all: number } {
  const [cpu = ''] = readFileSync('/proc/stat', 'latin1').split('\n', 1)
  // user, nice, system, idle, iowait, irq, softirq, steal; guest time is part of user time.
  const ticks = cpu.trim().split(/\s+/).slice(1, 9).map(Number)
  return { stolen: ticks[7] ?? 0, all: ticks.reduce((sum, each) => sum + each, 0) }
}

/** A test may be this many times slower than its limit at most, however busy the host is. */
const MAX_SLOWDOWN = 5

/**
 * Starts to measure how much the host slows this machine down. The result returns the factor by which limits of elapsed
 * time grow: 1 on a machine of its own, 2 if the host took half of the processor time. What our own processes
 * use does not count, so a slow server or page still misses its limit.
 */
export function watchStolenTime(): () => number {
  const start = processorTicks()
  return () => {
    const now = processorTicks()
    const share = (now.stolen - start.stolen) / Math.max(1, now.all - start.all)
    return 1 / Math.max(1 - share, 1 / MAX_SLOWDOWN)
  }
}
