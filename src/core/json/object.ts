import { RawJson } from '../../contract/raw-json.ts'
import { entries } from './navigate.ts'
import { writeJson } from './write.ts'

type Members = readonly (readonly [string, unknown])[]

/** Builds a JSON object from members, in order. Keys come from clients, so no JS object is built on the way. */
export function buildObject(members: Members): RawJson {
  return RawJson.fromText(`{${writeMembers(members)}}`)
}

/** The object with members added or replaced. All other members keep their bytes. */
export function withMembers(object: RawJson, members: Members): RawJson {
  const replaced = new Set(members.map(([key]) => key))
  const existing = entries(object)
  const unchanged = existing.filter(([key]) => !replaced.has(key))
  if (unchanged.length < existing.length) return buildObject([...unchanged, ...members])
  const open = object.text.slice(0, object.text.lastIndexOf('}'))
  return RawJson.fromText(`${open}${existing.length === 0 ? '' : ','}${writeMembers(members)}}`)
}

/** The object with a member after the others; unlike `withMembers`, it does not look for the key. */
export function appendMember(object: RawJson, key: string, value: RawJson): RawJson {
  const open = object.text.slice(0, object.text.lastIndexOf('}'))
  // No value ends with an opening brace.
  const isEmpty = open.trimEnd().endsWith('{')
  return RawJson.fromText(`${open}${isEmpty ? '' : ','}${writeMembers([[key, value]])}}`)
}

function writeMembers(members: Members): string {
  return members.map(([key, value]) => `${JSON.stringify(key)}:${writeJson(value)}`).join(',')
}
