import { RawJson } from '../contract/raw-json.ts'
import { appendMember } from '../core/json/object.ts'
import { isObject, type Json } from './json.ts'
import type { Resolution } from './resolve.ts'
import type { Field } from './rules.ts'
import { quoteKey, writeTexts } from './write.ts'

/** Puts the inputs and the output of a call together. */

const INPUTS = fields('inputs', ['system', 'messages', 'prompt', 'query', 'texts', 'documents'])
const REQUEST = fields('inputs', ['tools', 'tool_choice'])
const OUTPUTS = fields('output', ['messages', 'result', 'choices', 'documents', 'embeddings'])

function fields(document: string, names: readonly string[]): readonly (readonly [string, Field])[] {
  return names.map((name) => [name, `${document}.${name}` as Field])
}

type Members = Map<string, Json>

/** Messages and the like; the whole value of the sender if there are none; and what the request says besides. */
export function assembleInputs(resolution: Resolution): RawJson {
  const members: Members = new Map()
  for (const [name, field] of INPUTS) addMember(members, name, resolution.value(field))
  const whole = members.size === 0 ? resolution.value('inputs') : undefined
  for (const [name, field] of REQUEST) addMember(members, name, resolution.value(field))
  addMember(members, 'parameters', parameters(resolution))
  return RawJson.fromText(joinObject(whole, members))
}

export function assembleOutput(resolution: Resolution): RawJson {
  const members: Members = new Map()
  for (const [name, field] of OUTPUTS) addMember(members, name, resolution.value(field))
  if (members.size > 0) return RawJson.fromText(writeMembers(members))
  const whole = resolution.value('output')
  return whole instanceof RawJson ? whole : RawJson.fromText(writeTexts(whole ?? null))
}

function addMember(members: Members, name: string, value: Json | undefined): void {
  if (value !== undefined) members.set(name, value)
}

const PARAMETERS = 'inputs.parameters.'

function parameters(resolution: Resolution): Json | undefined {
  const members: Members = new Map()
  for (const field of resolution.fields) {
    if (!field.startsWith(PARAMETERS)) continue
    addMember(members, field.slice(PARAMETERS.length), resolution.value(field))
  }
  const whole = resolution.value('inputs.parameters' satisfies Field)
  if (isObject(whole)) {
    for (const [name, value] of Object.entries(whole))
      if (value !== undefined && !members.has(name)) members.set(name, value)
  }
  return members.size === 0 ? undefined : RawJson.fromText(writeMembers(members))
}

/** The whole value with further members; a value that is no object is the member `value`. */
function joinObject(whole: Json | undefined, members: Members): string {
  if (whole === undefined) return writeMembers(members)
  const text = writeTexts(whole)
  if (!text.startsWith('{')) return writeMembers(new Map([['value', whole], ...members]))
  let object = RawJson.fromText(text)
  for (const [name, value] of members) {
    // A name that occurs anywhere is not added: the parameters are in the complete span, and the object is the sender's.
    if (!text.includes(`"${name}"`)) object = appendMember(object, name, RawJson.fromText(writeTexts(value)))
  }
  return object.text
}

function writeMembers(members: Members): string {
  let text = ''
  for (const [name, value] of members)
    text += `${text === '' ? '' : ','}${quoteKey(name)}:${writeTexts(value)}`
  return `{${text}}`
}
