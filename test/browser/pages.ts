import type { Page } from 'playwright-core'
import { seedScores } from './review-seed.ts'
import { EMPTY, SHOP, THREADS } from './seed.ts'
import type { Environment } from './environment.ts'

/** One page of the UI: its path, and how to tell that it has rendered. */
export interface PageCase {
  readonly name: string
  readonly path: string
  readonly ready: (page: Page, environment: Environment) => Promise<void>
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
    screenshot: 'traces',
  },
  {
    name: 'list with a trace',
    path: `/${SHOP}/weave/traces?call=shop-3`,
    ready: (page) => page.getByRole('article').waitFor(),
  },
  {
    name: 'search',
    path: `/${SHOP}/weave/traces?text=order`,
    ready: (page) => page.locator('mark').first().waitFor(),
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
    name: 'conversation',
    path: `/${SHOP}/weave/calls/shop-0-llm`,
    ready: (page) => page.getByRole('list', { name: 'Conversation' }).waitFor(),
    screenshot: 'conversation',
  },
  {
    name: 'transcript',
    path: `/${SHOP}/weave/calls/shop-0?view=transcript`,
    ready: (page) => page.getByRole('region', { name: 'Transcript' }).waitFor(),
  },
  {
    name: 'feedback',
    path: `/${SHOP}/weave/calls/shop-1?tab=feedback`,
    ready: (page) => page.getByText('We do ship').waitFor(),
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
    screenshot: 'dashboard',
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
    screenshot: 'threads',
  },
  {
    name: 'costs',
    path: `/${SHOP}/weave/costs?prices=all&find=gpt-4o&model=*`,
    ready: (page) => page.getByRole('region', { name: 'Price list' }).waitFor(),
    screenshot: 'costs',
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
    screenshot: 'sql',
  },
  ...['members', 'keys', 'storage', 'danger'].map((tab) => ({
    name: `settings, ${tab}`,
    path: `/${SHOP}/weave/settings?tab=${tab}`,
    ready: (page: Page) => page.getByRole('region').first().waitFor(),
    ...(tab === 'keys' ? { screenshot: 'settings' } : {}),
  })),
  {
    name: 'compared calls',
    path: `/${SHOP}/weave/compare?calls=shop-0,shop-1,shop-2`,
    ready: (page) => page.getByRole('group', { name: 'Diff of A and B' }).first().waitFor(),
    screenshot: 'compare',
  },
  {
    name: 'choice of a call to compare with',
    path: `/${SHOP}/weave/compare?calls=shop-0`,
    ready: (page) => page.getByRole('list').waitFor(),
  },
  {
    name: 'evaluations',
    path: `/${THREADS}/weave/evaluations`,
    ready: (page) => page.getByRole('row').nth(2).waitFor(),
    screenshot: 'evaluations',
  },
  {
    name: 'evaluation',
    path: `/${THREADS}/weave/evaluations`,
    ready: async (page) => {
      await page.getByRole('row').nth(2).waitFor()
      for (const key of ['j', 'Enter']) await page.keyboard.press(key)
      await page.getByRole('grid', { name: 'Examples' }).waitFor()
    },
  },
  {
    name: 'compared evaluations',
    path: `/${THREADS}/weave/evaluations`,
    ready: async (page) => {
      await page.getByRole('row').nth(2).waitFor()
      for (const key of ['j', 'x', 'j', 'x', 'c']) await page.keyboard.press(key)
      await page.getByRole('grid', { name: 'Examples' }).waitFor()
    },
    screenshot: 'evaluation',
  },
  {
    name: 'objects',
    path: `/${THREADS}/weave/objects`,
    ready: (page) => page.getByRole('link', { name: 'support-prompt', exact: true }).waitFor(),
    screenshot: 'objects',
  },
  {
    name: 'code of an op',
    path: `/${THREADS}/weave/ops/ShopAssistant.predict/versions/latest`,
    ready: (page) => page.getByRole('region', { name: 'Code of obj.py' }).waitFor(),
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
    name: 'dataset with a row',
    path: `/${THREADS}/weave/datasets/shop-questions/versions/latest?row=3`,
    ready: (page) => page.getByRole('complementary', { name: 'Row 3' }).waitFor(),
    screenshot: 'dataset',
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
  {
    name: 'trace of an agent',
    path: `/${THREADS}/weave/traces`,
    ready: async (page) => {
      await page.getByRole('row', { name: /Ticket T-4821/ }).click()
      await page.getByRole('link', { name: 'Open full page' }).click()
      await page
        .getByRole('treeitem', { name: /openai.chat/ })
        .nth(3)
        .click()
      await page.getByRole('list', { name: 'Conversation' }).waitFor()
    },
    screenshot: 'trace',
  },
  {
    name: 'feedback on a conversation',
    path: `/${SHOP}/weave/calls/shop-1-llm?tab=feedback`,
    ready: async (page, { api }) => {
      await seedScores(api, SHOP, ['Correct', 'Stars', 'Tone'])
      await page.reload()
      await page.getByRole('button', { name: 'Pass' }).waitFor()
    },
    screenshot: 'feedback',
  },
  {
    name: 'queue of conversations',
    path: `/${SHOP}/weave/queues`,
    ready: async (page, { api }) => {
      const [entity = '', project = ''] = SHOP.split('/')
      const { queues } = await api.call('queues_list', { entity, project })
      const name = `Answers of week ${46 + queues.length}`
      const { id: queue_id } = await api.call('queue_create', { entity, project, name })
      const call_ids = Array.from({ length: 12 }, (_, i) => `shop-${i}-llm`)
      await api.call('queue_items_add', { entity, project, queue_id, call_ids })
      await page.reload()
      await page.getByRole('link', { name }).click()
      for (const done of [1, 2, 3]) {
        await page.getByText(`${done} of 12`, { exact: true }).waitFor()
        await page.keyboard.press('d')
      }
      await page.getByText('4 of 12', { exact: true }).waitFor()
      await page.getByRole('article').waitFor()
    },
    screenshot: 'queue',
  },
]
