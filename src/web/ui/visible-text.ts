/**
 * Invisible characters that change how other text looks: terminal escapes and bidirectional controls. `exe.png` may be
 * `gnp.exe`, so they are shown as escapes.
 */
const INVISIBLE_CHARACTERS =
  // oxlint-disable-next-line no-control-regex -- the pattern is about control characters
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

/** Replaces invisible control characters by `\uXXXX`. */
export function visibleText(text: string): string {
  return text.replaceAll(
    INVISIBLE_CHARACTERS,
    (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
