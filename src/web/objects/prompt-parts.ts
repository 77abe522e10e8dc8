import { eachChild, skipSpace, stringAt } from '../../client/browser/json-scan.ts'
import { readConversation } from '../call/conversation.ts'
import { prettyJson } from '../diff/pretty-json.ts'
import { valueAt } from '../json/value-at.ts'

/** A part of a version that is compared with the same part of another version. */
export interface ComparedPart {
  readonly title: string
  readonly text: string
}

const TEXT_MEMBERS: ReadonlySet<string> = new Set(['messages', 'content'])

/** A prompt as the texts that its author wrote, and the rest of its value. Undefined if it has no text. */
export function promptParts(val: string): readonly ComparedPart[] | undefined {
  const content = valueAt(val, ['content'])
  const texts: readonly ComparedPart[] = content?.startsWith('"')
    ? [{ title: 'Prompt', text: stringAt(content, 0) }]
    : (readConversation(val, 'null') ?? []).map(({ role, parts }, i) => ({
        title: `Message ${i + 1}: ${role}`,
        text: parts
          .map((part) => ('text' in part ? part.text : 'json' in part ? part.json : `[${part.name}]`))
          .join('\n'),
      }))
  // A text that is shown in part only would hide differences.
  if (texts.length === 0 || texts.some(({ text }) => text.length >= 20_000)) return undefined
  return [...texts, { title: 'Other members', text: prettyJson(withoutTexts(val)) }]
}

function withoutTexts(val: string): string {
  const members: string[] = []
  eachChild(val, skipSpace(val, 0), (keyAt, _valueAt, end) => {
    if (!TEXT_MEMBERS.has(stringAt(val, keyAt))) members.push(val.slice(keyAt, end))
  })
  return `{${members.join(',')}}`
}
