import { expect, test } from 'vitest'
import { detone, isOneEmoji, shortcode } from './emoji.ts'

test('a reaction is exactly one emoji, of any number of code points', () => {
  const emoji = ['👍', '👍🏽', '❤️', '❤', '👨‍👩‍👧‍👦', '🇩🇪', '1️⃣', '🏳️‍🌈', '🕵🏽‍♂️', '🫱🏻‍🫲🏿', '🏴󠁧󠁢󠁥󠁮󠁧󠁿']
  expect(emoji.filter((text) => !isOneEmoji(text))).toEqual([])
  const others = ['', ' ', 'a', '1', '#', '👍👍', '👍 ', ':thumbs_up:', 'D🇪', '👍‍👎', '👍🏽🏽', '👍'.repeat(100)]
  expect(others.filter(isOneEmoji)).toEqual([])
})

test('removing the skin tone yields the base emoji', () => {
  const plain: [string, string][] = [
    ['👍🏽', '👍'],
    ['👍', '👍'],
    ['☝🏿', '☝️'],
    ['🕵🏽‍♂️', '🕵️‍♂️'],
    ['👩🏽‍💻', '👩‍💻'],
    ['🫱🏻‍🫲🏿', '🤝'],
    ['🧑🏻‍❤️‍💋‍🧑🏿', '💏'],
    ['🏽', '🏽'],
  ]
  expect(plain.map(([toned]) => detone(toned))).toEqual(plain.map(([, expected]) => expected))
})

test('shortcodes contain the name and the tone, or the code points without a name', () => {
  expect(shortcode('👍')).toBe(':thumbs_up:')
  expect(shortcode('👍🏽')).toBe(':thumbs_up_medium_skin_tone:')
  expect(shortcode('❤')).toBe(':red_heart:')
  expect(shortcode('🫱🏻‍🫲🏿')).toBe(':handshake_light_skin_tone_dark_skin_tone:')
  expect(shortcode('🏽')).toBe(':medium_skin_tone:')
  expect(shortcode('🦖')).toBe(':u1f996:')
})
