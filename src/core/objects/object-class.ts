import { RawJson } from '../../contract/raw-json.ts'
import { find, items, stringOf, textAt } from '../json/navigate.ts'

/** What an object's value says about the class it is of. */
export interface ObjectClass {
  readonly kind: 'op' | 'object'
  /** The class under Weave's own base classes, such as `Model`. */
  readonly base_object_class: string | null
  /** The class itself. */
  readonly leaf_object_class: string | null
}

export function classOf(val: RawJson): ObjectClass {
  if (!val.isObject) return { kind: 'object', base_object_class: null, leaf_object_class: null }
  const bases = textsAt(val, '_bases')
  const leaf = textAt(val, '_class_name') ?? null
  const [root, model] = bases.slice(-2)
  const isClass = model === 'BaseModel' && (root === 'Object' || root === 'BaseObject')
  return {
    kind: isOp(val) ? 'op' : 'object',
    base_object_class: isClass ? (bases.at(-3) ?? leaf) : null,
    leaf_object_class: isClass ? leaf : null,
  }
}

function isOp(val: RawJson): boolean {
  if (textAt(val, '_type') !== 'CustomWeaveType') return false
  const type = find(val, 'weave_type')
  return type !== undefined && textAt(type, 'type') === 'Op'
}

function textsAt(val: RawJson, key: string): string[] {
  const member = find(val, key)
  return member === undefined ? [] : items(member).map((each) => stringOf(each) ?? '')
}

/** Gives a value of a built-in class, sent without it, what says so; a value that names its class is left as sent. */
export function withClass(val: RawJson, class_name: string): RawJson {
  if (!val.isObject || find(val, '_class_name') !== undefined) return val
  const name = JSON.stringify(class_name)
  const members = val.text.slice(1)
  const separator = /^\s*\}/.test(members) ? '' : ','
  return RawJson.fromText(
    `{"_type":${name},"_class_name":${name},"_bases":["BaseObject","BaseModel"]${separator}${members}`,
  )
}
