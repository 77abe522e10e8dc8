/**
 * Characters that nobody sees but that change what others look like: escapes of terminals, and those that turn the
 * direction of writing around. `exe.png` may be `gnp.exe`, so they are spelled out.
 */
const UNSEEN =
  // oxlint-disable-next-line no-control-regex -- these are the very characters it is about
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

export function visibleText(text: string): string {
  return text.replaceAll(
    UNSEEN,
    (character) => String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
