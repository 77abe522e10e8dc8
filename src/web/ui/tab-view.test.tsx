import { screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { TabView } from './tab-view.tsx'
import { renderOnPage } from './test-page.tsx'

const TABS = ['overview', 'raw', 'cost'].map((value) => ({ value, label: value.toUpperCase() }))

function Page() {
  const [tab, setTab] = useState('overview')
  return (
    <TabView
      label="Call"
      tabs={TABS}
      value={tab}
      onChange={setTab}
      panelClassName={undefined}
      isPanelFocusable
    >
      Content of {tab}
    </TabView>
  )
}

const selected = () => screen.getByRole('tab', { selected: true }).textContent

test('arrow keys select tabs, and Tab goes on to the content of the selected one', async () => {
  const user = renderOnPage(<Page />)
  expect(screen.getByRole('tablist', { name: 'Call' })).toBeDefined()
  await user.tab()
  expect(document.activeElement?.textContent).toBe('OVERVIEW')
  await user.keyboard('{ArrowRight}')
  expect([selected(), screen.getByRole('tabpanel').textContent]).toEqual(['RAW', 'Content of raw'])
  await user.keyboard('{ArrowRight}{ArrowRight}')
  expect(selected()).toBe('OVERVIEW')
  await user.tab()
  expect(document.activeElement).toBe(screen.getByRole('tabpanel', { name: 'OVERVIEW' }))
})
