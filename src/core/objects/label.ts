import { ApiError } from '../../contract/api-error.ts'
import { MAX_ALIAS_CHARACTERS, MAX_TAG_CHARACTERS } from '../../contract/limits.ts'

/** Validation of tags and aliases. A valid alias cannot be mistaken for another version selector. */

/** Words of letters, digits, `_` and `-`, with single spaces between them. */
const TAG = /^[\p{L}\p{N}_-]+(?: [\p{L}\p{N}_-]+)*$/u

/** Returns the distinct tags. Throws `invalid_request` for an invalid one. */
export function checkTags(tags: readonly string[]): string[] {
  for (const tag of tags) {
    if (Array.from(tag).length <= MAX_TAG_CHARACTERS && TAG.test(tag)) continue
    throw new ApiError(
      'invalid_request',
      `"${truncated(tag)}" is not a valid tag: use words of letters, digits, "_" and "-", separated by single ` +
        `spaces, up to ${MAX_TAG_CHARACTERS} characters`,
    )
  }
  return [...new Set(tags)]
}

/** Returns the distinct aliases. `latest` and `v<number>` are reserved for versions. */
export function checkAliases(aliases: readonly string[]): string[] {
  for (const alias of aliases) {
    const isShort = Array.from(alias).length <= MAX_ALIAS_CHARACTERS
    if (isShort && alias.trim() !== '' && !/[/:]|^latest$|^v\d+$/.test(alias)) continue
    throw new ApiError(
      'invalid_request',
      `"${truncated(alias)}" is not a valid alias: use 1 to ${MAX_ALIAS_CHARACTERS} characters without "/" and ":"; ` +
        '"latest" and "v<number>" are reserved',
    )
  }
  return [...new Set(aliases)]
}

function truncated(text: string): string {
  return text.length > 100 ? `${Array.from(text).slice(0, 100).join('')}…` : text
}
