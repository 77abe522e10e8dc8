import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderOnPage } from '../ui/test-page.tsx'
import { RenderedMarkdown } from './rendered-markdown.tsx'

test('line breaks of a paragraph and of a list item are kept, those of code are not doubled', () => {
  renderOnPage(
    <main>
      <RenderedMarkdown text={'Cite the **section**.\nNever promise.\n\n- a\n  b\n\n`x\ny`'} />
    </main>,
  )
  const main = screen.getByRole('main')
  expect([...main.querySelectorAll('p, li')].map((each) => each.querySelectorAll('br').length)).toEqual([
    1, 1, 0,
  ])
})
