import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { finishTransitions, withinLimit } from './waits.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[]
}

/** The serious and critical violations that axe finds on a page, of all rules or of these. */
export async function seriousViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  // A change of the width starts transitions too, and axe would measure colors between two others.
  await finishTransitions(page)
  // Injected through the debugger, which the Content-Security-Policy does not restrict.
  await page.evaluate(AXE)
  const found = await withinLimit(
    'axe',
    page,
    page.evaluate(
      async (options) => {
        const { axe } = globalThis as unknown as {
          axe: { run(options: object): Promise<{ violations: unknown[] }> }
        }
        return (await axe.run(options)).violations
      },
      rules === undefined ? {} : { runOnly: [...rules] },
    ),
  )
  return (found as Violation[])
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes
        .slice(0, 4)
        .map(
          (node) => `${id}: ${String(node.target[0])} ${(node.failureSummary ?? '').split('\n')[1] ?? ''}`,
        ),
    )
}
