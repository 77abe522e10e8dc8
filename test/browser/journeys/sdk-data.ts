import type { Client } from '../../../src/client/client.ts'
import { RawJson } from '../../../src/contract/raw-json.ts'
import { test } from '../fixtures.ts'
import { ASSISTANT } from '../program/assistant.ts'

/** Pages that show what real SDKs send: the program of ../program/. */

/** The path of the oldest call of an op. */
async function callPath(api: Client, op: string, has: 'success' | 'error' = 'success'): Promise<string> {
  const [entity = '', project = ''] = ASSISTANT.split('/')
  const { calls } = await api.call('project_calls', {
    entity,
    project,
    filter: { op_names: [`weave:///${ASSISTANT}/op/${op}:*`] },
    direction: 'asc',
    columns: ['id', 'exception'],
    limit: 1000,
  })
  const call = calls.find(({ exception }) => (exception === null) === (has === 'success'))
  if (call === undefined) throw new Error(`the program has no call of ${op}: ${has}`)
  return `/${ASSISTANT}/weave/calls/${call.id}`
}

test('an exception of the SDK shows its type, message and frames on every page', async ({
  page,
  url,
  api,
  assistant,
}) => {
  await assistant()
  const failed = await callPath(api, 'Assistant.predict', 'error')
  await page.goto(url + failed)
  const exception = page.getByRole('region', { name: 'Exception' })
  await exception
    .getByRole('heading', { name: 'RefundRefused: order A-1042 was not refunded', exact: true })
    .waitFor()
  const frame = exception.getByRole('listitem').filter({ hasText: 'result = FUNCTIONS[call.function.name]' })
  await frame.getByText('predict', { exact: true }).waitFor()
  await frame.getByText(/assistant\.py:\d+$/).waitFor()
  await page.goto(`${url}${failed}?view=transcript`)
  const transcript = page.getByRole('region', { name: 'Transcript' })
  await transcript.getByText('RefundRefused: order A-1042 was not refunded').first().waitFor()
  await page.goto(`${url}/${ASSISTANT}/weave/traces`)
  await page
    .getByRole('row', { name: /Assistant\.predict/ })
    .getByText('RefundRefused: order A-1042 was not refunded')
    .waitFor()
  await page.goto(`${url}/${ASSISTANT}/weave/threads`)
  await page.getByText('chat-مريم').click()
  await page.getByText('RefundRefused: order A-1042 was not refunded').waitFor()
})

test('the transcript of an agent shows texts, tool calls and results', async ({
  page,
  url,
  api,
  assistant,
}) => {
  await assistant()
  await page.goto(`${url}${await callPath(api, 'Assistant.predict')}?view=transcript`)
  const steps = page.getByRole('region', { name: 'Transcript' }).getByRole('button')
  await steps.nth(0).getByText('Where is my order A-1042?').waitFor()
  await steps.nth(1).getByText('get_order(A-1042)').waitFor()
  await steps
    .nth(3)
    .getByText(/^get_order \{'item': 'Trail running shoes'/)
    .waitFor()
  await steps
    .nth(3)
    .getByText(/Trail running shoes.* arrive on/)
    .waitFor()
  await steps.nth(3).click()
  const conversation = page.getByRole('list', { name: 'Conversation' })
  // The SDK sends this role as a ref to the published prompt.
  await conversation.getByText('system', { exact: true }).waitFor()
  await conversation.getByRole('listitem').filter({ hasText: 'tool result get_order' }).waitFor()
  await page.goto(`${url}${await callPath(api, 'suggest_gear')}?view=transcript`)
  await steps.nth(1).getByText('What do I pack in winter?').waitFor()
  await steps
    .nth(1)
    .getByText(/^An avalanche transceiver/)
    .waitFor()
})

test('lists show the question, refs by name and media by file name', async ({ page, url, assistant }) => {
  await assistant()
  await page.goto(`${url}/${ASSISTANT}/weave/traces`)
  await page
    .getByRole('row', { name: /Assistant\.predict/ })
    .getByText('テントは雨に強いですか？')
    .waitFor()
  await page
    .getByRole('row', { name: /draw_label/ })
    .getByText('[image.png]')
    .waitFor()
  const evaluation = page.getByRole('row').filter({ hasText: 'assistant-mini' })
  await evaluation.getByText('assistant-mini', { exact: true }).waitFor()
  const input = await page.getByRole('columnheader', { name: 'Input' }).boundingBox()
  const cost = await page.getByRole('columnheader', { name: 'Cost' }).boundingBox()
  if (input === null || cost === null || input.width < 2 * cost.width)
    throw new Error('the input column is not wider than twice the cost column')
})

test('a search keeps the count and the histogram, and its matches are in sight', async ({
  page,
  url,
  assistant,
}) => {
  await assistant()
  await page.goto(`${url}/${ASSISTANT}/weave/traces?text=avalanche`)
  // The op, the call of the model, and nothing else.
  await page.getByText('2 calls').waitFor()
  await page.getByRole('figure', { name: /Calls over time/ }).waitFor()
  const cell = page.getByRole('gridcell').filter({ has: page.locator('mark') })
  const [box, mark] = await Promise.all([
    cell.first().boundingBox(),
    page.locator('mark').first().boundingBox(),
  ])
  if (box === null || mark === null || mark.x + mark.width > box.x + box.width)
    throw new Error('the match is cut off')
})

test('a trace is stepped through, collected, tagged and deleted on its page', async ({
  page,
  url,
  api,
  assistant,
}) => {
  await assistant()
  await page.goto(`${url}${await callPath(api, 'suggest_gear')}`)
  const title = page.getByRole('heading', { level: 1 })
  await title.getByText('suggest_gear').waitFor()
  await page.getByRole('button', { name: 'Next trace' }).click()
  await title.getByText('write_summary').waitFor()
  await page.getByRole('button', { name: 'Previous trace', disabled: false }).waitFor()
  await page.keyboard.press('k')
  await title.getByText('suggest_gear').waitFor()
  const act = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: 'Trace actions' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await act('Add to dataset')
  await page.getByRole('dialog', { name: /dataset/ }).waitFor()
  await page.keyboard.press('Escape')
  await act('Add to queue')
  await page.getByRole('dialog', { name: /queue/ }).waitFor()
  await page.keyboard.press('Escape')
  await act('Tag')
  const tags = page.getByRole('dialog', { name: 'Tag call' })
  await tags.getByLabel('Tags').last().fill('winter')
  await page.keyboard.press('Enter')
  await tags.getByText('winter', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.goto(`${url}/${ASSISTANT}/weave/traces`)
  const row = page.getByRole('row', { name: /suggest_gear/ })
  await row.getByText('winter', { exact: true }).waitFor()
  // The drawer has the same menu.
  await row.getByText('suggest_gear', { exact: true }).click()
  const drawer = page.getByRole('complementary', { name: 'Trace' })
  await drawer.getByRole('heading', { level: 1, name: 'suggest_gear' }).waitFor()
  await drawer.getByRole('button', { name: 'Previous trace' }).click()
  await drawer.getByRole('heading', { level: 1, name: 'checkout' }).waitFor()
  await act('Delete trace')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 call' }).click()
  await page.getByRole('row', { name: /checkout/ }).waitFor({ state: 'detached' })
})

test('the timeline names its bars and explains its colors', async ({ page, url, api, assistant }) => {
  await assistant()
  await page.goto(`${url}${await callPath(api, 'Assistant.predict')}`)
  const legend = page.getByRole('list', { name: 'Timeline colors' })
  await legend.getByText('agent').waitFor()
  await legend.getByText('tool').waitFor()
  await legend.getByText('LLM').waitFor()
  const strip = page.getByRole('img', { name: /Timeline of 4 calls/ })
  const box = await strip.boundingBox()
  if (box === null) throw new Error('the timeline is not shown')
  await page.mouse.move(box.x + box.width / 2, box.y + 9)
  await page.getByText(/^Assistant\.predict · \d/).waitFor()
})

test('Markdown is rendered or raw, in conversations, transcript, threads and notes', async ({
  page,
  url,
  api,
  assistant,
}) => {
  await assistant()
  const path = await callPath(api, 'Assistant.predict')
  await page.goto(`${url}${path}?view=transcript`)
  const steps = page.getByRole('region', { name: 'Transcript' }).getByRole('button')
  await steps.nth(3).getByText('Your Trail running shoes arrive on 2026-11-19.').waitFor()
  await steps.nth(3).click()
  const conversation = page.getByRole('list', { name: 'Conversation' })
  await conversation.getByRole('table').getByText('Packed').waitFor()
  await conversation.locator('strong').getByText('Trail running shoes').waitFor()
  await page
    .getByRole('article')
    .getByRole('radiogroup', { name: 'Markdown' })
    .getByText('Raw', { exact: true })
    .click()
  await conversation.getByText('**Trail running shoes**').waitFor()
  await steps.nth(3).getByText('**Trail running shoes**').waitFor()
  // The choice is remembered.
  await page.goto(`${url}/${ASSISTANT}/weave/threads/chat-lena`)
  await page.getByText('**Trail running shoes**').waitFor()
  await page.getByRole('radiogroup', { name: 'Markdown' }).getByText('Rendered').click()
  await page.getByRole('table').getByText('Packed').waitFor()
  await page.getByRole('region', { name: 'Code' }).getByText('round').waitFor()
  await page.goto(`${url}${path}?tab=feedback`)
  await page.locator('strong').getByText('Right', { exact: true }).waitFor()
})

test('each end user has a page, and threads are searched and show their totals', async ({
  page,
  url,
  api,
  assistant,
}) => {
  await assistant()
  const [entity = '', project = ''] = ASSISTANT.split('/')
  const query = RawJson.fromValue({ $expr: { $eq: [{ $getField: 'end_user' }, { $literal: 'lena' }] } })
  const roots = { entity, project, columns: ['id'], query, filter: { trace_roots_only: true } }
  for (const [i, { id }] of (await api.call('project_calls', roots)).calls.entries())
    await api.call('feedback_create', {
      project_id: ASSISTANT,
      weave_ref: `weave:///${ASSISTANT}/call/${id}`,
      feedback_type: 'wandb.annotation.polite',
      payload: RawJson.fromValue({ value: i > 0 }),
      annotation_ref: `weave:///${ASSISTANT}/object/polite:1`,
    })
  await page.goto(`${url}/${ASSISTANT}/weave/users`)
  // Two of three replies were polite.
  await page.getByRole('row', { name: /^lena 3 .* polite 0\.667/ }).waitFor()
  const row = page.getByRole('row', { name: /^kenji 2/ })
  await row.waitFor()
  // Ranked by errors, the user whose refund failed comes first.
  await page.getByRole('columnheader', { name: 'Errors' }).getByRole('button').first().click()
  await page.getByRole('row').nth(1).getByText('مريم').waitFor()
  await row.getByRole('link', { name: 'kenji' }).click()
  await page.getByRole('heading', { level: 1, name: 'kenji' }).waitFor()
  await page.getByRole('row', { name: /^chat-kenji 2/ }).waitFor()
  await page.getByRole('link', { name: 'View traces' }).click()
  await page.getByText('2 traces').waitFor()
  await page.goto(`${url}/${ASSISTANT}/weave/threads`)
  await page.getByRole('row', { name: /chat-lena .* 3 [\d,]+ \$0\.\d+ polite 0\.667/ }).waitFor()
  await page.getByRole('textbox', { name: 'Search threads' }).fill('tent is packed')
  await page.getByRole('row', { name: /chat-kenji/ }).waitFor()
  await page.getByRole('row', { name: /chat-lena/ }).waitFor({ state: 'detached' })
  await page.getByRole('textbox', { name: 'Search threads' }).fill('-lena')
  await page.getByRole('row', { name: /chat-lena/ }).waitFor()
})
