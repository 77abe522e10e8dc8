import type { Page } from '@playwright/test'
import type { Client } from '../../src/client/client.ts'
import { RawJson } from '../../src/contract/raw-json.ts'
import { classMembers } from '../../src/web/named-objects/classes.ts'
import type { PageCase } from './pages.ts'
import { ASSISTANT } from './program/assistant.ts'
import { seedScores } from './review-seed.ts'

/** Pages on the data of a real program, with the screenshots of docs/web-ui.md. */

const [entity = '', project = ''] = ASSISTANT.split('/')

/** Opens the trace whose row contains a text, on its own page. */
async function openTrace(page: Page, text: string): Promise<void> {
  await page.getByRole('row').filter({ hasText: text }).last().getByRole('link').first().click()
  const fullPage = page.getByRole('link', { name: 'Open full page' })
  await fullPage.click()
  await fullPage.waitFor({ state: 'detached' })
  await page.getByRole('treeitem').nth(2).waitFor()
}

async function openModelCall(page: Page, text: string): Promise<void> {
  await openTrace(page, text)
  await page
    .getByRole('treeitem', { name: /openai.chat/ })
    .last()
    .click()
  await page.getByRole('list', { name: 'Conversation' }).waitFor()
}

async function compareRuns(page: Page): Promise<void> {
  await page.getByRole('row').nth(2).waitFor()
  for (const key of ['j', 'x', 'j', 'x', 'c']) await page.keyboard.press(key)
  await page.getByRole('grid', { name: 'Examples' }).waitFor()
}

const QUESTION = 'Where is my order A-1042?'
const at = (path: string): string => `/${ASSISTANT}/weave/${path}`

/** A saved query and a dashboard with every kind of chart. */
async function seedDashboard(api: Client): Promise<void> {
  const put = (object_id: string, className: string, members: object) => {
    const val = RawJson.fromValue({ ...classMembers(className), ...members })
    return api.call('obj_create', { obj: { project_id: ASSISTANT, object_id, val } })
  }
  const query = 'SELECT id, name, latency_ms FROM calls ORDER BY started_at DESC LIMIT 5'
  await put('newest-calls', 'SqlQuery', { label: 'Newest calls', query })
  await put('reply-quality', 'Dashboard', {
    label: 'Reply quality',
    charts: [
      { id: 'cost', measure: 'cost', kind: 'bar', group: 'model', width: 'whole' },
      { id: 'errors', title: 'Failures', measure: 'errors', kind: 'number', scope: 'calls' },
      {
        id: 'op',
        title: 'Latency by op',
        measure: 'p95_latency_ms',
        kind: 'table',
        group: 'op',
        scope: 'calls',
      },
      { id: 'helpful', title: 'Helpful', measure: 'avg(scores.Judge.helpful)', kind: 'line', scope: 'calls' },
      { id: 'sql', source: 'sql', query: 'newest-calls' },
    ],
  })
}

export const ASSISTANT_PAGES: readonly PageCase[] = [
  {
    name: 'traces of a program',
    path: at('traces'),
    ready: (page) => page.getByRole('row').nth(8).waitFor(),
    screenshot: 'traces',
  },
  {
    name: 'search in a program',
    path: at('traces?text=packed'),
    ready: (page) => page.locator('mark').first().waitFor(),
    screenshot: 'search',
  },
  {
    name: 'trace of a program',
    path: at('traces?range=24h&filter=op+~+predict'),
    ready: (page) => openModelCall(page, QUESTION),
    screenshot: 'trace',
  },
  {
    name: 'transcript of a program',
    path: at('traces?range=24h&filter=op+~+predict'),
    ready: async (page) => {
      await openTrace(page, QUESTION)
      await page.keyboard.press('t')
      await page.getByRole('region', { name: 'Transcript' }).waitFor()
    },
    screenshot: 'transcript',
  },
  {
    name: 'exception of a program',
    path: at('traces?range=24h&filter=op+~+predict+and+status+%3D+error'),
    ready: async (page) => {
      await openTrace(page, 'refund')
      await page.getByRole('region', { name: 'Exception' }).waitFor()
    },
    screenshot: 'exception',
  },
  {
    name: 'feedback in a program',
    path: at('traces?range=24h&filter=op+~+predict'),
    ready: async (page, api) => {
      await seedScores(api, ASSISTANT, ['Correct', 'Stars', 'Tone'])
      await openTrace(page, QUESTION)
      await page.getByRole('tab', { name: /^Feedback/ }).click()
      await page.getByRole('button', { name: 'Pass' }).waitFor()
    },
    screenshot: 'feedback',
  },
  {
    name: 'threads of a program',
    path: at('threads'),
    ready: (page) => page.getByRole('row', { name: /chat-lena/ }).waitFor(),
    screenshot: 'threads',
  },
  {
    name: 'thread of a program',
    path: at('threads/chat-lena'),
    ready: (page) => page.getByRole('list', { name: 'Turns' }).getByRole('link').first().waitFor(),
    screenshot: 'thread',
  },
  {
    name: 'users of a program',
    path: at('users'),
    ready: (page) => page.getByRole('row', { name: /^kenji/ }).waitFor(),
    screenshot: 'users',
  },
  {
    name: 'user of a program',
    path: at('users/kenji'),
    ready: (page) => page.getByRole('row', { name: /chat-kenji/ }).waitFor(),
    screenshot: 'user',
  },
  {
    name: 'queue of a program',
    path: at('queues'),
    ready: async (page, api) => {
      await seedScores(api, ASSISTANT, ['Correct', 'Stars', 'Tone'])
      const { queues } = await api.call('queues_list', { entity, project })
      const name = `Replies, week ${46 + queues.length}`
      const { id: queue_id } = await api.call('queue_create', { entity, project, name })
      const { calls } = await api.call('project_calls', {
        entity,
        project,
        columns: ['id'],
        query: RawJson.fromValue({ $expr: { $eq: [{ $getField: 'tags' }, { $literal: 'chat' }] } }),
        filter: { trace_roots_only: true },
      })
      await api.call('queue_items_add', { entity, project, queue_id, call_ids: calls.map(({ id }) => id) })
      await page.reload()
      await page.getByRole('link', { name }).click()
      await page.getByText(`1 of ${calls.length}`, { exact: true }).waitFor()
      await page.keyboard.press('d')
      await page.getByText(`2 of ${calls.length}`, { exact: true }).waitFor()
      await page.getByRole('article').waitFor()
    },
    screenshot: 'queue',
  },
  {
    name: 'dataset of a program',
    path: at('datasets/questions/versions/latest?row=3'),
    ready: (page) => page.getByRole('complementary', { name: 'Row 3' }).waitFor(),
    screenshot: 'dataset',
  },
  {
    name: 'evaluations of a program',
    path: at('evaluations'),
    ready: (page) => page.getByRole('row').nth(2).waitFor(),
    screenshot: 'evaluations',
  },
  {
    name: 'evaluation of a program',
    path: at('evaluations'),
    ready: async (page) => {
      await page.getByRole('row').nth(2).waitFor()
      for (const key of ['j', 'Enter']) await page.keyboard.press(key)
      await page.getByRole('grid', { name: 'Examples' }).waitFor()
    },
    screenshot: 'evaluation',
  },
  {
    name: 'compared evaluations of a program',
    path: at('evaluations'),
    ready: compareRuns,
    screenshot: 'compared-evaluations',
  },
  ...(['trends', 'scatter', 'leaderboard'] as const).map((view) => ({
    name: `${view} of evaluations`,
    path: at(`evaluations?view=${view}`),
    ready: (page: Page) =>
      (view === 'leaderboard' ? page.getByText('★').first() : page.locator('canvas').first()).waitFor(),
    screenshot: view,
  })),
  ...(['judges', 'gates'] as const).map((view) => ({
    name: `${view} of evaluations`,
    path: at(`evaluations?view=${view}`),
    ready: (page: Page) =>
      page
        .getByText(view === 'judges' ? 'No scorers of calls yet' : 'No gates yet')
        .or(page.getByRole('table').first())
        .waitFor(),
  })),
  {
    name: 'published leaderboard',
    path: at('objects/assistants/versions/latest'),
    ready: (page) => page.getByText('★').first().waitFor(),
  },
  {
    name: 'prompts',
    path: at('prompts'),
    ready: (page) => page.getByRole('link', { name: 'system-prompt', exact: true }).waitFor(),
    screenshot: 'prompts',
  },
  {
    name: 'objects of a program',
    path: at('objects'),
    ready: (page) => page.getByRole('row').nth(5).waitFor(),
    screenshot: 'objects',
  },
  {
    name: 'code of a program',
    path: at('ops/Assistant.predict/versions/latest'),
    ready: (page) => page.getByRole('region', { name: 'Code of obj.py' }).waitFor(),
    screenshot: 'object',
  },
  {
    name: 'compared calls of a program',
    path: at('traces?range=24h&filter=op+~+predict'),
    ready: async (page) => {
      await page.getByRole('row').nth(3).waitFor()
      for (const key of ['j', 'j', 'j', 'x', 'j', 'x', 'c']) await page.keyboard.press(key)
      await page.getByRole('group', { name: 'Diff of A and B' }).first().waitFor()
    },
    screenshot: 'compare',
  },
  {
    name: 'costs of a program',
    path: at('costs?range=24h&prices=all&find=gpt-4o'),
    ready: (page) => page.getByRole('region', { name: 'Price list' }).waitFor(),
    screenshot: 'costs',
  },
  {
    name: 'SQL on a program',
    path: at(
      'sql?query=SELECT+op,+count()+AS+calls,+sum(total_tokens)+AS+tokens,+quantile(0.5)(latency)+AS+p50_ms+FROM+calls+GROUP+BY+op+ORDER+BY+calls+DESC',
    ),
    ready: (page) => page.getByRole('table', { name: 'Query result' }).waitFor(),
    screenshot: 'sql',
  },
  {
    name: 'overview of a program',
    path: at('dashboard?range=1h&by=model'),
    ready: (page) => page.locator('canvas').nth(4).waitFor(),
    screenshot: 'dashboard',
  },
  {
    name: 'dashboards',
    path: at('dashboards'),
    ready: async (page, api) => {
      await seedDashboard(api)
      await page.reload()
      await page.getByRole('link', { name: 'Reply quality' }).waitFor()
    },
  },
  {
    name: 'own dashboard',
    path: at('dashboards/reply-quality?range=1h'),
    ready: async (page, api) => {
      await seedDashboard(api)
      await page.reload()
      await page.locator('canvas').nth(1).waitFor()
      await page.getByRole('region', { name: 'Latency by op, table' }).waitFor()
      await page.getByRole('table', { name: 'Newest calls' }).getByRole('link').first().waitFor()
    },
    screenshot: 'dashboards',
  },
  {
    name: 'chart dialog',
    path: at('dashboards/reply-quality?range=1h'),
    ready: async (page, api) => {
      await seedDashboard(api)
      await page.reload()
      await page.getByRole('button', { name: 'Actions for Helpful' }).click()
      await page.getByRole('menuitem', { name: 'Edit' }).click()
      await page.getByRole('dialog', { name: 'Edit chart' }).locator('canvas').waitFor()
    },
  },
]
