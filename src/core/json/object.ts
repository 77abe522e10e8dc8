import { RawJson } from '../../contract/raw-json.ts'
import { entries } from './navigate.ts'
import { writeJson } from './write.ts'

type Members = readonly (readonly [string, unknown])[]

/** An object of these members, in this order; keys are a client's, so it is never a JS object on the way. */
export function objectOf(members: Members): RawJson {
  return RawJson.fromText(`{${writeMembers(members)}}`)
}

/** The object with these members, each in place of one of the same name. The rest stays as it was spelled. */
export function withMembers(object: RawJson, members: Members): RawJson {
  const ours = new Set(members.map(([key]) => key))
  const theirs = entries(object)
  const kept = theirs.filter(([key]) => !ours.has(key))
  if (kept.length < theirs.length) return objectOf([...kept, ...members])
  const open = object.text.slice(0, object.text.lastIndexOf('}'))
  return RawJson.fromText(`${open}${theirs.length === 0 ? '' : ','}${writeMembers(members)}}`)
}

function writeMembers(members: Members): string {
  return members.map(([key, value]) => `${JSON.stringify(key)}:${writeJson(value)}`).join(',')
}
