import { ApiError } from '../../contract/api-error.ts'

/** What a tag and an alias may be: each that passes here can be asked for again without meaning something else. */

const MAX_TAG_CHARACTERS = 256
const MAX_ALIAS_CHARACTERS = 128

/** Words of letters, digits, `_` and `-`, with single spaces between them. */
const TAG = /^[\p{L}\p{N}_-]+(?: [\p{L}\p{N}_-]+)*$/u

/** Each once. */
export function checkTags(tags: readonly string[]): string[] {
  for (const tag of tags) {
    if (Array.from(tag).length <= MAX_TAG_CHARACTERS && TAG.test(tag)) continue
    throw new ApiError(
      'invalid_request',
      `"${shortened(tag)}" is no tag: it may have words of letters, digits, "_" and "-" with single spaces ` +
        `between, up to ${MAX_TAG_CHARACTERS} characters`,
    )
  }
  return [...new Set(tags)]
}

/** Each once. `latest` and `v3` mean versions already. */
export function checkAliases(aliases: readonly string[]): string[] {
  for (const alias of aliases) {
    const isShort = Array.from(alias).length <= MAX_ALIAS_CHARACTERS
    if (isShort && alias.trim() !== '' && !/[/:]|^latest$|^v\d+$/.test(alias)) continue
    throw new ApiError(
      'invalid_request',
      `"${shortened(alias)}" is no alias: it may have 1 to ${MAX_ALIAS_CHARACTERS} characters, none of them "/" or ` +
        '":", and it may not be "latest" or "v<number>"',
    )
  }
  return [...new Set(aliases)]
}

function shortened(text: string): string {
  return text.length > 100 ? `${Array.from(text).slice(0, 100).join('')}…` : text
}
