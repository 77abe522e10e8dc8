import { RawJson } from '../../contract/raw-json.ts'
import { find, items, stringValue, stringMember } from '../json/navigate.ts'

/** The class of an object, read from its value. */
export interface ObjectClass {
  readonly kind: 'op' | 'object'
  /** The topmost class below Weave's base classes, such as `Model`. */
  readonly base_object_class: string | null
  /** The most derived class. */
  readonly leaf_object_class: string | null
}

export function readObjectClass(val: RawJson): ObjectClass {
  if (!val.isObject) return { kind: 'object', base_object_class: null, leaf_object_class: null }
  const bases = stringItems(val, '_bases')
  const leaf = stringMember(val, '_class_name') ?? null
  const [root, model] = bases.slice(-2)
  const isClass = model === 'BaseModel' && (root === 'Object' || root === 'BaseObject')
  return {
    kind: isOp(val) ? 'op' : 'object',
    base_object_class: isClass ? (bases.at(-3) ?? leaf) : null,
    leaf_object_class: isClass ? leaf : null,
  }
}

function isOp(val: RawJson): boolean {
  if (stringMember(val, '_type') !== 'CustomWeaveType') return false
  const type = find(val, 'weave_type')
  return type !== undefined && stringMember(type, 'type') === 'Op'
}

function stringItems(val: RawJson, key: string): string[] {
  const member = find(val, key)
  return member === undefined ? [] : items(member).map((each) => stringValue(each) ?? '')
}

/** Adds the class fields to a value of a built-in class. A value that names its class is unchanged. */
export function withClass(val: RawJson, class_name: string): RawJson {
  if (!val.isObject || find(val, '_class_name') !== undefined) return val
  const name = JSON.stringify(class_name)
  const members = val.text.slice(1)
  const separator = /^\s*\}/.test(members) ? '' : ','
  return RawJson.fromText(
    `{"_type":${name},"_class_name":${name},"_bases":["BaseObject","BaseModel"]${separator}${members}`,
  )
}
