/** One key combination of a shortcut. */
export interface KeyBinding {
  /** The value of `KeyboardEvent.key`. */
  readonly key: string
  /** With ⌘ on a Mac, Ctrl elsewhere. */
  readonly hasMod: boolean
}

const MOD = 'mod+'

/** Parses `d mod+Enter` into two bindings. A `+` without `mod` before it is the plus key. */
export function parseKeys(keys: string): readonly KeyBinding[] {
  return keys
    .split(' ')
    .map((spelling) =>
      spelling.startsWith(MOD)
        ? { key: spelling.slice(MOD.length), hasMod: true }
        : { key: spelling, hasMod: false },
    )
}

const KEY_NAMES: Readonly<Record<string, string>> = {
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Enter: '↵',
}

/** The labels of the keys to press. Key caps show capitals, so the key `d` is D, and `D` is Shift and D. */
export function keyLabels({ key, hasMod }: KeyBinding, isMac: boolean): readonly string[] {
  const isCapital = /^\p{Lu}$/u.test(key)
  return [
    ...(hasMod ? [isMac ? '⌘' : 'Ctrl'] : []),
    ...(isCapital ? ['Shift'] : []),
    KEY_NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key),
  ]
}
