import { describe, expect, test } from 'vitest'
import { moved, parseWindow, printWindow, showing, widened, zoomed } from './time-window.ts'

const WHOLE = { fromMs: 1000, toMs: 2000 }
const PART = { fromMs: 1200, toMs: 1300 }

describe('a time of a trace', () => {
  test('is moved and stays as long as it is, within the whole', () => {
    expect(moved(PART, WHOLE, 50)).toEqual({ fromMs: 1250, toMs: 1350 })
    expect(moved(PART, WHOLE, -500)).toEqual({ fromMs: 1000, toMs: 1100 })
    expect(moved(PART, WHOLE, 5000)).toEqual({ fromMs: 1900, toMs: 2000 })
  })

  test('is widened at its end, and never turned around', () => {
    expect(widened(PART, WHOLE, 50)).toEqual({ fromMs: 1200, toMs: 1350 })
    expect(widened(PART, WHOLE, 5000)).toEqual({ fromMs: 1200, toMs: 2000 })
    const least = widened(PART, WHOLE, -500)
    expect(least.fromMs).toBe(1200)
    expect(least.toMs).toBeGreaterThan(1200)
  })

  test('is zoomed around a place, which stays where it is', () => {
    expect(zoomed(WHOLE, WHOLE, 0.5, 0.5)).toEqual({ fromMs: 1250, toMs: 1750 })
    expect(zoomed(WHOLE, WHOLE, 0, 0.5)).toEqual({ fromMs: 1000, toMs: 1500 })
    expect(zoomed({ fromMs: 1250, toMs: 1750 }, WHOLE, 0.5, 2)).toBeUndefined()
  })

  test('is followed by what is seen', () => {
    const seen = { fromMs: 1100, toMs: 1600 }
    expect(showing(seen, WHOLE, PART)).toBe(seen)
    expect(showing(seen, WHOLE, { fromMs: 1650, toMs: 1700 })).toEqual({ fromMs: 1200, toMs: 1700 })
    expect(showing(seen, WHOLE, { fromMs: 1050, toMs: 1150 })).toEqual({ fromMs: 1050, toMs: 1550 })
  })

  test('is written into an address and read from it', () => {
    const text = printWindow({ fromMs: 1200.25, toMs: 1300 }, 1000)
    expect(text).toBe('200.25..300')
    expect(parseWindow(text, 1000)).toEqual({ fromMs: 1200.25, toMs: 1300 })
    for (const wrong of [undefined, '', '3..2', 'a..b', '1', '1..'])
      expect(parseWindow(wrong, 1000)).toBeUndefined()
    expect(parseWindow('1..2', Number.POSITIVE_INFINITY)).toBeUndefined()
  })
})
