import assert from 'node:assert/strict'
import { EMPTY, SHOP } from '../seed.ts'
import { test } from '../fixtures.ts'
import { switchTheme, waitUntil } from '../waits.ts'
import { OTEL, OTEL_CALLS, sendSpans } from '../otel-seed.ts'
import { INSTRUMENTED, runInstrumented } from '../program/instrumented.ts'
import { seriousViolations } from '../axe.ts'

/** Calls that were made from spans of OpenTelemetry. */

test('spans of OpenInference and Pydantic AI are read like calls of an SDK', async ({ page, url, key }) => {
  await runInstrumented(url, key)
  await page.goto(
    `${url}/${INSTRUMENTED}/weave/traces?columns=name,input,output,model,tokens,end_user,session`,
  )
  const chat = page.getByRole('row', { name: /ChatCompletion/ }).filter({ hasText: '21.5 °C' })
  await chat.getByText('gpt-4o-mini').waitFor()
  await chat.getByText('u1', { exact: true }).waitFor()
  await chat.getByText('s1', { exact: true }).waitFor()
  await page
    .getByRole('row', { name: /failing_agent/ })
    .getByRole('img', { name: 'error' })
    .waitFor()
  await chat.getByRole('link', { name: /ChatCompletion/ }).click()
  const conversation = page.getByRole('list', { name: 'Conversation' })
  await conversation.getByText('How warm is it in Zürich?').waitFor()
  await conversation.getByText('tool call get_weather').waitFor()
  await conversation.getByText('It is 21.5 °C in Zürich.').waitFor()

  await page.goto(`${url}/${INSTRUMENTED}/weave/traces`)
  await page.getByRole('link', { name: /weather_agent/ }).click()
  await page
    .getByRole('treeitem', { name: /get_weather/ })
    .getByRole('img', { name: 'tool' })
    .waitFor()
  await page
    .getByRole('treeitem', { name: /chat gpt-4o-mini/ })
    .last()
    .click()
  await conversation.getByText('It is 21.5 °C in Zürich.').waitFor()
  await page.keyboard.press('t')
  await page.getByRole('region', { name: 'Transcript' }).getByText('get_weather(').first().waitFor()
})

test('OpenTelemetry calls show kinds, conversation, tools, usage, errors, events and their mapping', async ({
  page,
  url,
  key,
}) => {
  await sendSpans(url, key)
  const here = `${url}/${OTEL}/weave/calls`
  const call = page.getByRole('article')
  const checkThemes = async (name: string): Promise<void> => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await switchTheme(page, colorScheme)
      assert.deepEqual(await seriousViolations(page), [], `${name}, ${colorScheme}`)
    }
  }

  await page.goto(`${here}/${OTEL_CALLS.workflow}`)
  const icons = ['workflow', 'LLM', 'tool', 'LLM', 'LLM, error', 'guardrail']
  const items = page.getByRole('treeitem')
  await waitUntil('every call has the icon of its kind', async () => {
    const shown = await items
      .getByRole('img')
      .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label') ?? ''))
    return shown.join() === icons.join()
  })
  await call.getByRole('img', { name: 'workflow' }).waitFor()
  await call.getByText('s1', { exact: true }).waitFor()
  const link = call.getByRole('list', { name: 'Links' }).getByRole('link')
  assert.match((await link.getAttribute('href')) ?? '', new RegExp(`/${OTEL_CALLS.request}$`))
  await link.click()
  await page.getByRole('article', { name: 'Call POST /ask' }).waitFor()

  await page.goto(`${here}/${OTEL_CALLS.reply}`)
  const conversation = page.getByRole('list', { name: 'Conversation' })
  await conversation.getByText('How warm is it in Zürich?').waitFor()
  await conversation.getByText('tool call get_weather').waitFor()
  await conversation.getByText('{"city":"Zürich"}').waitFor()
  await conversation.getByText('{"city": "Zürich", "celsius": 21.5}').waitFor()
  await conversation.getByText('It is 21.5 °C in Zürich.').waitFor()
  await call.getByText('100 → 20').waitFor()
  await call.getByText('gpt-4o-mini-2024-07-18').first().waitFor()
  await call
    .getByText(/^<?\$0\.\d+/)
    .first()
    .waitFor()

  await page.goto(`${here}/${OTEL_CALLS.tool}`)
  const events = page.getByRole('list', { name: 'Events' })
  await events.getByRole('listitem').filter({ hasText: '+12 ms' }).getByText('cache.miss').waitFor()
  const retry = events.getByRole('listitem').filter({ hasText: '+130 ms' })
  await retry.getByText('Attributes').click()
  await retry.getByText('503').waitFor()
  await checkThemes('events')

  await page.goto(`${here}/${OTEL_CALLS.failed}`)
  const exception = page.getByRole('region', { name: 'Exception' })
  await exception
    .getByRole('heading', { name: 'openai.NotFoundError: Error code: 404 - The model `no-such-model`' })
    .waitFor()
  const frames = exception.getByRole('list', { name: 'Stack trace' }).getByRole('listitem')
  assert.equal(await frames.count(), 2)
  // The call that failed comes first; in Python's text it is last.
  assert.match((await frames.nth(0).textContent()) ?? '', /^answer \/app\/chat\.py:41/)
  assert.match(
    (await frames.nth(1).textContent()) ?? '',
    /^1 frame of librariespost openai\/_base_client\.py:1474return cast/,
  )
  await checkThemes('exception')

  await page.goto(`${here}/${OTEL_CALLS.reply}`)
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await page.getByRole('tab', { name: 'Explain' }).click()
  const mapping = page.getByRole('region', { name: 'Mapping of the span' })
  const rules = (convention: string) => mapping.getByRole('rowgroup').filter({ hasText: convention })
  await rules('OpenTelemetry GenAI')
    .getByRole('row', { name: 'inputs.messages gen_ai.input.messages' })
    .waitFor()
  await rules('Traceloop / OpenLLMetry')
    .getByRole('row', { name: 'thread_id traceloop.association.properties.session_id' })
    .waitFor()
  assert.equal(requests.filter((each) => each.endsWith('/explain')).length, 1)
  await call.getByText('90715f7dfb227b4b').waitFor()
  await page.waitForURL(/tab=explain/)
  await checkThemes('mapping')
  // The tab stays open on other spans. Calls of SDKs have none.
  await page.getByRole('treeitem', { name: /get_weather/ }).click()
  await mapping.getByRole('row', { name: 'op_name traceloop.entity.name' }).waitFor()
  await page.goto(`${url}/${SHOP}/weave/calls/shop-0?tab=explain`)
  await page.getByRole('tab', { name: 'Overview', selected: true }).waitFor()
  assert.equal(await page.getByRole('tab', { name: 'Explain' }).count(), 0)
})

test('the setup page has code for OpenTelemetry', async ({ page, url }) => {
  await page.goto(`${url}/${EMPTY}-otel/weave`)
  await page.getByText('OpenTelemetry', { exact: true }).click()
  const headers = `authorization=Bearer%20your-api-key,project-id=${EMPTY}-otel`
  await page.locator('pre', { hasText: headers }).waitFor()
  const stacks = page.getByRole('group', { name: 'Instrumentation' }).getByRole('radio')
  assert.equal(await stacks.count(), 9)
  for (let i = 0; i < 9; i++) {
    await stacks.nth(i).check()
    await page.locator('pre', { hasText: url }).first().waitFor()
  }
  await page.getByRole('radio', { name: 'Langfuse SDK' }).check()
  await page.locator('pre', { hasText: `LANGFUSE_PUBLIC_KEY=${EMPTY}-otel` }).waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await switchTheme(page, colorScheme)
    await page.getByText('OpenTelemetry', { exact: true }).click()
    await page.getByRole('radio', { name: 'Vercel AI SDK' }).check()
    assert.deepEqual(await seriousViolations(page), [], colorScheme)
  }
})
