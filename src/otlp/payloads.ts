import { RawJson } from '../contract/raw-json.ts'
import { appendMember } from '../core/json/object.ts'
import { entries } from '../core/json/navigate.ts'
import { isList, isObject, type Json } from './json.ts'
import { emptyMessages } from './messages.ts'
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
export function assembleInputs(resolution: Resolution, kind: string): RawJson {
  const { members, whole } = contents(resolution, INPUTS, 'inputs', kind)
  for (const [name, field] of REQUEST) addMember(members, name, resolution.value(field))
  addMember(members, 'parameters', parameters(resolution))
  return RawJson.fromText(joinObject(whole, members))
}

export function assembleOutput(resolution: Resolution, kind: string): RawJson {
  const { members, whole } = contents(resolution, OUTPUTS, 'output', kind)
  if (members.size > 0) return RawJson.fromText(writeMembers(members))
  return whole instanceof RawJson ? whole : RawJson.fromText(writeTexts(whole ?? null))
}

interface Contents {
  readonly members: Members
  /** The value of the sender, if it says more than the members. */
  readonly whole: Json | undefined
}

/** Instrumentations that fail to read a message send it without content, next to the complete value. */
function contents(
  resolution: Resolution,
  fields: readonly (readonly [string, Field])[],
  wholeField: 'inputs' | 'output',
  kind: string,
): Contents {
  const members: Members = new Map()
  // A tool has arguments and a result, and messages that repeat them are no conversation.
  const ofTool = kind === 'tool' ? resolution.value(wholeField) : undefined
  if (ofTool !== undefined) return { members, whole: ofTool }
  for (const [name, field] of fields) addMember(members, name, resolution.value(field))
  const empty = emptyIn(members.get('messages'))
  if (members.size > 0 && empty === 0) return { members, whole: undefined }
  const whole = resolution.value(wholeField)
  if (whole === undefined || empty === 0) return { members, whole }
  const isLess =
    isObject(whole) && isList(whole['messages']) ? emptyIn(whole['messages']) < empty : isAllEmpty(members)
  if (isLess) return { members: new Map(), whole }
  // Some of the messages are complete, and only the value of the sender has the others.
  members.set('value', whole)
  return { members, whole: undefined }
}

/** Messages that are the text of the sender have content. */
function emptyIn(messages: Json | undefined): number {
  return isList(messages) ? emptyMessages(messages) : 0
}

function isAllEmpty(members: Members): boolean {
  const messages = members.get('messages')
  return members.size === 1 && isList(messages) && emptyMessages(messages) === messages.length
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

/** The whole value with further members; a value that is not an object becomes the member `value`. */
function joinObject(whole: Json | undefined, members: Members): string {
  if (whole === undefined) return writeMembers(members)
  const text = writeTexts(whole)
  if (!text.startsWith('{')) return writeMembers(new Map([['value', whole], ...members]))
  let object = RawJson.fromText(text)
  for (const [name, value] of members) {
    // The object is the sender's.
    if (!hasMember(object, name)) object = appendMember(object, name, RawJson.fromText(writeTexts(value)))
  }
  return object.text
}

function hasMember(object: RawJson, name: string): boolean {
  return object.text.includes(`"${name}"`) && entries(object).some(([key]) => key === name)
}

function writeMembers(members: Members): string {
  let text = ''
  for (const [name, value] of members)
    text += `${text === '' ? '' : ','}${quoteKey(name)}:${writeTexts(value)}`
  return `{${text}}`
}
