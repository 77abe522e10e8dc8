import { expect, test } from 'vitest'
import { Highlighted } from './highlighted.tsx'
import { renderOnPage } from './test-page.tsx'

const RANGES: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  none: [],
  'the whole text': [[0, 23]],
  'the ends': [
    [0, 3],
    [20, 23],
  ],
  neighbours: [
    [4, 8],
    [8, 12],
    [13, 14],
  ],
}

test.each(Object.entries(RANGES))('marks keep the text: %s', (_, ranges) => {
  const text = 'the <b>bold</b> refunds!'.slice(0, 23)
  renderOnPage(
    <p>
      <Highlighted text={text} ranges={ranges} />
    </p>,
  )
  const shown = document.querySelector('p')
  expect(shown?.textContent).toBe(text)
  expect(shown?.querySelector('b')).toBeNull()
  expect([...(shown?.querySelectorAll('mark') ?? [])].map(({ textContent }) => textContent)).toEqual(
    ranges.map(([from, to]) => text.slice(from, to)),
  )
})
