import type { Page } from '@playwright/test'
import { EMPTY, SHOP, THREADS } from './seed.ts'
import type { Client } from '../../src/client/client.ts'

/** One page of the UI: its path, and how to tell that it has rendered. */
export interface PageCase {
  readonly name: string
  readonly path: string
  readonly ready: (page: Page, api: Client) => Promise<void>
  /** Base name of its screenshot in docs/images, if it has one. */
  readonly screenshot?: string
}

export const PAGES: readonly PageCase[] = [
  {
    name: 'projects',
    path: '/projects',
    ready: (page) => page.getByRole('list', { name: 'Projects' }).waitFor(),
    screenshot: 'projects',
  },
  {
    name: 'list',
    path: `/${SHOP}/weave/traces?range=24h&filter=name+%3D+shop_agent`,
    ready: (page) => page.getByRole('row').nth(5).waitFor(),
  },
  {
    name: 'list with a trace',
    path: `/${SHOP}/weave/traces?call=shop-3`,
    ready: (page) => page.getByRole('article').waitFor(),
  },
  {
    name: 'trace',
    path: `/${SHOP}/weave/calls/shop-3`,
    ready: (page) => page.getByRole('article').waitFor(),
  },
  {
    name: 'trace with heat',
    path: `/${SHOP}/weave/calls/shop-3?heat=cost&time=0..600&find=order`,
    ready: (page) => page.getByText('Self cost').waitFor(),
  },
  {
    name: 'cost',
    path: `/${SHOP}/weave/calls/shop-1?tab=cost`,
    ready: (page) => page.getByRole('table').waitFor(),
  },
  {
    name: 'attributes',
    path: `/${SHOP}/weave/calls/shop-1?tab=raw`,
    ready: (page) => page.getByRole('button', { name: /^Attributes/ }).waitFor(),
  },
  {
    name: 'dashboard',
    path: `/${SHOP}/weave/dashboard?range=24h&by=model`,
    ready: (page) => page.locator('canvas').nth(4).waitFor(),
  },
  {
    name: 'dashboard as tables',
    path: `/${SHOP}/weave/dashboard?range=24h&view=tables`,
    ready: (page) => page.getByRole('region', { name: 'Cost, table' }).waitFor(),
  },
  {
    name: 'threads',
    path: `/${THREADS}/weave/threads`,
    ready: (page) => page.getByRole('link', { name: /^ingrid-1/ }).waitFor(),
  },
  {
    name: 'thread',
    path: `/${THREADS}/weave/threads/ingrid-1`,
    ready: (page) => page.getByRole('list', { name: 'Turns' }).getByRole('link').first().waitFor(),
  },
  {
    name: 'costs',
    path: `/${SHOP}/weave/costs?prices=all&find=gpt-4o&model=*`,
    ready: (page) => page.getByRole('region', { name: 'Price list' }).waitFor(),
  },
  {
    name: 'SQL',
    path: `/${SHOP}/weave/sql?query=SELECT+id,+inputs+FROM+calls+LIMIT+20`,
    ready: (page) => page.getByRole('table', { name: 'Query result' }).waitFor(),
  },
  {
    name: 'SQL chart',
    path: `/${SHOP}/weave/sql?view=chart&query=SELECT+status,+count()+AS+n+FROM+calls+GROUP+BY+status`,
    ready: (page) => page.getByRole('list', { name: 'n', exact: true }).waitFor(),
  },
  {
    name: 'account',
    path: '/account',
    ready: (page) => page.getByRole('row', { name: /this browser/ }).waitFor(),
    screenshot: 'account',
  },
  {
    name: 'server settings',
    path: '/server',
    ready: (page) => page.getByRole('row', { name: /^admin/ }).waitFor(),
    screenshot: 'server',
  },
  ...['members', 'general', 'scores', 'keys', 'storage', 'danger'].map((tab) => ({
    name: `settings, ${tab}`,
    path: `/${SHOP}/weave/settings?tab=${tab}`,
    ready: (page: Page) => page.getByRole('region').first().waitFor(),
    ...(tab === 'keys' ? { screenshot: 'settings' } : {}),
  })),
  {
    name: 'compared calls',
    path: `/${SHOP}/weave/compare?calls=shop-0,shop-1,shop-2`,
    ready: (page) => page.getByRole('group', { name: 'Diff of A and B' }).first().waitFor(),
  },
  {
    name: 'choice of a call to compare with',
    path: `/${SHOP}/weave/compare?calls=shop-0`,
    ready: (page) => page.getByRole('list').waitFor(),
  },
  {
    name: 'page not found',
    path: `/${SHOP}/weave/nowhere`,
    ready: (page) => page.getByRole('heading', { name: 'Page not found' }).waitFor(),
  },
  {
    name: 'evaluations',
    path: `/${THREADS}/weave/evaluations`,
    ready: (page) => page.getByRole('row').nth(2).waitFor(),
  },
  {
    name: 'evaluation by slices',
    path: `/${THREADS}/weave/evaluations`,
    ready: async (page) => {
      await page.getByRole('row').nth(2).waitFor()
      for (const key of ['j', 'Enter']) await page.keyboard.press(key)
      await page.getByLabel('Slice by').selectOption({ index: 1 })
      await page.getByRole('grid', { name: 'Slices' }).getByRole('row').nth(1).getByRole('button').click()
      await page.getByRole('button', { name: /^Remove filter/ }).waitFor()
    },
  },
  {
    name: 'compared evaluations by slices',
    path: `/${THREADS}/weave/evaluations`,
    ready: async (page) => {
      await page.getByRole('row').nth(2).waitFor()
      for (const key of ['j', 'x', 'j', 'x', 'c']) await page.keyboard.press(key)
      await page.getByLabel('Slice by').selectOption({ value: 'topic' })
      await page.getByRole('grid', { name: 'Slices' }).getByRole('row').nth(2).waitFor()
    },
  },
  {
    name: 'versions',
    path: `/${THREADS}/weave/prompts/support-prompt`,
    ready: (page) => page.getByRole('checkbox', { name: 'Select v1' }).waitFor(),
  },
  {
    name: 'versions compared',
    path: `/${THREADS}/weave/prompts/support-prompt/diff?from=v0&to=v1`,
    ready: (page) => page.getByRole('group', { name: 'Diff of v0 and v1' }).waitFor(),
  },
  {
    name: 'usage of a dataset',
    path: `/${THREADS}/weave/datasets/shop-questions/versions/latest?tab=usage`,
    ready: (page) => page.getByRole('region', { name: 'Calls' }).waitFor(),
  },
  {
    name: 'dataset in edit mode',
    path: `/${THREADS}/weave/datasets/shop-questions/versions/latest?edit=on`,
    ready: async (page) => {
      await page.getByRole('gridcell', { name: 'looms' }).first().dblclick()
      await page.getByRole('textbox', { name: 'topic of row 1' }).waitFor()
    },
  },
  {
    name: 'new dataset',
    path: `/${THREADS}/weave/new-dataset`,
    ready: async (page) => {
      const buffer = Buffer.from('name,price\nLoom,10.50\n')
      await page.getByLabel('File with rows').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer })
      await page.getByRole('cell', { name: '10.50' }).waitFor()
    },
  },
  {
    name: 'setup',
    path: `/${EMPTY}-2/weave`,
    ready: (page) => page.getByText('Waiting for the first trace').waitFor(),
    screenshot: 'setup',
  },
  {
    name: 'no matches',
    path: `/${SHOP}/weave/traces?filter=inputs.a+%3D+1`,
    ready: (page) => page.getByText('No matching calls').waitFor(),
  },
]
