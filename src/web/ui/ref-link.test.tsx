import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { RefLink } from './ref-link.tsx'
import { renderAt } from './test-page.tsx'

test.each([
  ['weave:///acme/shop/call/01ab', '/acme/shop/weave/calls/01ab'],
  ['weave:///acme/shop/object/bot:d1g', '/acme/shop/weave/objects/bot/versions/d1g'],
  ['weave:///acme/shop/op/answer:d1g', '/acme/shop/weave/ops/answer/versions/d1g'],
])('a ref is a link: %s', async (ref, address) => {
  await renderAt('/projects', <RefLink text={ref} />)
  expect(screen.getByRole('link', { name: ref }).getAttribute('href')).toBe(address)
})

test.each(['', 'a text', 'weave:///', 'javascript:alert(1)', 'weave:///acme/shop/table/d1g'])(
  'other text is no link: %s',
  async (text) => {
    await renderAt('/projects', <RefLink text={text} />)
    expect(screen.queryByRole('link')).toBeNull()
    expect(document.body.textContent).toBe(text)
  },
)
