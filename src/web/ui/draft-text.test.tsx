import { act, renderHook } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { forgetDrafts, useDraftText } from './draft-text.ts'

beforeEach(() => sessionStorage.clear())

const open = (key: string) => renderHook(() => useDraftText(key)).result
type Opened = ReturnType<typeof open>
const type = (opened: Opened, text: string) => act(() => opened.current[1](text))

test('a text that is typed is there after a reload, where it belongs', () => {
  type(open('note a'), 'Too long')
  expect([open('note a').current[0], open('note b').current[0]]).toEqual(['Too long', ''])
})

test('nothing is kept of a text that was saved, emptied, or of a user who signed out', () => {
  const saved = open('note a')
  type(saved, 'Too long')
  type(saved, '')
  type(open('note b'), 'mine')
  expect(sessionStorage.length).toBe(1)
  sessionStorage.setItem('other', '1')
  forgetDrafts()
  expect([open('note b').current[0], sessionStorage.length]).toEqual(['', 1])
})
