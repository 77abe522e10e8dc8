import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Client } from '../../src/client/client.ts'
import type { LargeSeeds } from './seed.ts'

/** What a journey has: a page that is signed in, and the server behind it. */
export interface World {
  readonly page: Page
  readonly url: string
  readonly api: Client
  /** A page of somebody who is not signed in. */
  readonly stranger: () => Promise<Page>
  /** A page of somebody else, who is signed in and has this role in a project. */
  readonly colleague: (username: string, project_id: string, role: 'read' | 'write') => Promise<Page>
  readonly large: LargeSeeds
  readonly password: string
  readonly key: string
  /** Taken for docs/images, when they are wanted. */
  readonly picture: (page: Page, name: string) => Promise<void>
  readonly restart: (whileDown: () => Promise<void>) => Promise<void>
}

export interface Journey {
  readonly name: string
  readonly run: (world: World) => Promise<void>
}

export function journey(name: string, run: Journey['run']): Journey {
  return { name, run }
}

/** What the page itself complained about: refused by the policy, or thrown and not caught. */
export function watch(page: Page, complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(`thrown: ${error.message}`))
  page.on('console', (message) => {
    const text = message.text()
    if (/Content.Security.Policy/i.test(text)) complaints.push(text)
    // A request that fails is told by the page; the console repeats it.
    else if (message.type() === 'error' && !/Failed to load resource/.test(text)) complaints.push(text)
  })
}

/** Waits until something holds, for what has no words to wait for. */
export async function until(what: string, holds: () => Promise<boolean>, limitMs = 15_000): Promise<void> {
  const began = performance.now()
  while (!(await holds())) {
    assert.ok(performance.now() - began < limitMs, `waited in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
