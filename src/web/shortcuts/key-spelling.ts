/** One key as a shortcut spells it. */
export interface KeySpelling {
  /** As `KeyboardEvent.key` has it. */
  readonly key: string
  /** With ⌘ on a Mac, with Ctrl elsewhere. */
  readonly hasMod: boolean
}

const MOD = 'mod+'

/** `d mod+Enter` is two keys. A `+` that follows nothing is the key itself. */
export function readKeys(keys: string): readonly KeySpelling[] {
  return keys
    .split(' ')
    .map((spelling) =>
      spelling.startsWith(MOD)
        ? { key: spelling.slice(MOD.length), hasMod: true }
        : { key: spelling, hasMod: false },
    )
}

const NAMES: Readonly<Record<string, string>> = {
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Enter: '↵',
}

/** What stands on the keys to press, one after the other: keyboards have capitals on them, so `D` is Shift and D. */
export function capsOf({ key, hasMod }: KeySpelling, isMac: boolean): readonly string[] {
  const isCapital = /^\p{Lu}$/u.test(key)
  return [
    ...(hasMod ? [isMac ? '⌘' : 'Ctrl'] : []),
    ...(isCapital ? ['Shift'] : []),
    NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key),
  ]
}
