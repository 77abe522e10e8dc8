import { EMOJI_NAMES } from './emoji-names.ts'

/** Emoji of reactions: validation, shortcodes and removal of skin tones, so that variants are counted together. */

// Built from a string, because the compiler's target lacks the flag `v`; all supported Node versions have it.
const RECOMMENDED = new RegExp('^\\p{RGI_Emoji}$', 'v')

/** One pictograph that Node's Unicode data may be too old for, or that lacks its variation selector. */
const PICTOGRAPH = /^\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?$/u

export function isOneEmoji(text: string): boolean {
  return (
    text.length <= 64 &&
    (RECOMMENDED.test(text) || RECOMMENDED.test(`${text}\uFE0F`) || PICTOGRAPH.test(text))
  )
}

const TONE = /\p{Emoji_Modifier}/gu
const TONED = /(.)\p{Emoji_Modifier}/gsu

/** Pairs of people with separate skin tones are sequences; without tones they are one character. */
const PAIRS: ReadonlyMap<string, string> = new Map([
  ['🫱‍🫲', '🤝'],
  ['👩‍🤝‍👨', '👫'],
  ['👩‍🤝‍👩', '👭'],
  ['👨‍🤝‍👨', '👬'],
  ['🧑‍❤️‍💋‍🧑', '💏'],
  ['🧑‍❤️‍🧑', '💑'],
])

/** The emoji without skin tones: `👍🏽` is `👍`. */
export function detone(emoji: string): string {
  const plain = emoji.replace(TONED, (_, base: string) =>
    /\p{Emoji_Presentation}/u.test(base) ? base : `${base}\uFE0F`,
  )
  return PAIRS.get(plain) ?? plain
}

const TONE_NAMES: ReadonlyMap<string, string> = new Map([
  ['🏻', 'light_skin_tone'],
  ['🏼', 'medium-light_skin_tone'],
  ['🏽', 'medium_skin_tone'],
  ['🏾', 'medium-dark_skin_tone'],
  ['🏿', 'dark_skin_tone'],
])

/** `:thumbs_up_medium_skin_tone:`; the code points, `:u1f9ff:`, for an emoji without a known name. */
export function shortcode(emoji: string): string {
  const tone = TONE_NAMES.get(emoji)
  if (tone !== undefined) return `:${tone}:`
  const tones = [...new Set(emoji.match(TONE) ?? [])].map((modifier) => `_${TONE_NAMES.get(modifier)}`)
  return `:${emojiName(detone(emoji))}${tones.join('')}:`
}

function emojiName(emoji: string): string {
  const name = EMOJI_NAMES.get(emoji) ?? EMOJI_NAMES.get(`${emoji}\uFE0F`)
  return name ?? `u${Array.from(emoji, (character) => character.codePointAt(0)?.toString(16)).join('_')}`
}
