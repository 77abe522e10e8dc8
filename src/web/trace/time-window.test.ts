import { describe, expect, test } from 'vitest'
import { moveWindow, parseWindow, printWindow, panToShow, resizeWindow, zoomWindow } from './time-window.ts'

const BOUNDS = { fromMs: 1000, toMs: 2000 }
const PART = { fromMs: 1200, toMs: 1300 }

describe('a time window', () => {
  test('keeps its duration when it is moved, within the bounds', () => {
    expect(moveWindow(PART, BOUNDS, 50)).toEqual({ fromMs: 1250, toMs: 1350 })
    expect(moveWindow(PART, BOUNDS, -500)).toEqual({ fromMs: 1000, toMs: 1100 })
    expect(moveWindow(PART, BOUNDS, 5000)).toEqual({ fromMs: 1900, toMs: 2000 })
  })

  test('is resized at its end, and never inverted', () => {
    expect(resizeWindow(PART, BOUNDS, 50)).toEqual({ fromMs: 1200, toMs: 1350 })
    expect(resizeWindow(PART, BOUNDS, 5000)).toEqual({ fromMs: 1200, toMs: 2000 })
    const minimal = resizeWindow(PART, BOUNDS, -500)
    expect(minimal.fromMs).toBe(1200)
    expect(minimal.toMs).toBeGreaterThan(1200)
  })

  test('zooms around an anchor that stays in place', () => {
    expect(zoomWindow(BOUNDS, BOUNDS, 0.5, 0.5)).toEqual({ fromMs: 1250, toMs: 1750 })
    expect(zoomWindow(BOUNDS, BOUNDS, 0, 0.5)).toEqual({ fromMs: 1000, toMs: 1500 })
    expect(zoomWindow({ fromMs: 1250, toMs: 1750 }, BOUNDS, 0.5, 2)).toBeUndefined()
  })

  test('is panned into view', () => {
    const visible = { fromMs: 1100, toMs: 1600 }
    expect(panToShow(visible, BOUNDS, PART)).toBe(visible)
    expect(panToShow(visible, BOUNDS, { fromMs: 1650, toMs: 1700 })).toEqual({ fromMs: 1200, toMs: 1700 })
    expect(panToShow(visible, BOUNDS, { fromMs: 1050, toMs: 1150 })).toEqual({ fromMs: 1050, toMs: 1550 })
  })

  test('is printed to the URL and parsed back', () => {
    const text = printWindow({ fromMs: 1200.25, toMs: 1300 }, 1000)
    expect(text).toBe('200.25..300')
    expect(parseWindow(text, 1000)).toEqual({ fromMs: 1200.25, toMs: 1300 })
    for (const invalid of [undefined, '', '3..2', 'a..b', '1', '1..'])
      expect(parseWindow(invalid, 1000)).toBeUndefined()
    expect(parseWindow('1..2', Number.POSITIVE_INFINITY)).toBeUndefined()
  })
})
