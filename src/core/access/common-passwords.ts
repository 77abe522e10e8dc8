/**
 * Passwords that guessers try first: a limit of ten guesses a minute does not help them. No rules about digits and signs,
 * which make passwords no better (NIST SP 800-63B).
 */

/** In lower case, without the digits and signs at both ends. */
const COMMON_WORDS: ReadonlySet<string> = new Set(
  (
    'admin administrator adminadmin baseball changeme changeit computer corvette default dragon football freedom ' +
    'heddle hello iloveyou internet jennifer jordan letmein liverpool login master mercedes michael michelle monkey ' +
    'mustang pass passw password passwort princess qazwsx qazwsxedc qwer qwerty qwertyui qwertyuiop qwertz root ' +
    'samsung secret security server shadow starwars steelers sunshine superman superuser temp test testtest ' +
    'testing trustno welcome whatever asdf asdfgh asdfghjk asdfghjkl zxcvbn zxcvbnm abcd abcdefgh abcdefghi'
  ).split(' '),
)

const SEQUENCES = ['01234567890123456789', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm']
/** A name that is shorter says nothing. */
const MIN_NAME_CHARACTERS = 4

export function isCommonPassword(password: string, username: string): boolean {
  const lower = password.toLowerCase()
  const core = lower
    .replaceAll(/^[^a-z]+|[^a-z]+$/g, '')
    .replaceAll('@', 'a')
    .replaceAll('0', 'o')
  return (
    COMMON_WORDS.has(core) ||
    new Set(lower).size <= 2 ||
    SEQUENCES.some(
      (sequence) => sequence.includes(lower) || sequence.includes(Array.from(lower).toReversed().join('')),
    ) ||
    isRepetition(lower) ||
    lower === username ||
    (username.length >= MIN_NAME_CHARACTERS && lower.includes(username) && lower.length < username.length + 6)
  )
}

/** `abcabcabc`: a part of up to half its length again and again. */
function isRepetition(text: string): boolean {
  const at = `${text}${text}`.indexOf(text, 1)
  return at < text.length && at <= 4
}
