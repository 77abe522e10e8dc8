import { ApiError, unprocessable } from '../../contract/api-error.ts'
import type { BuiltinClass } from '../../contract/objects/objects.ts'
import { RawJson } from '../../contract/raw-json.ts'
import { find, items, stringValue, stringMember } from '../json/navigate.ts'
import { builtinType } from './builtin-classes.ts'
import { isMismatch } from './value-types.ts'

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

/** The value as an object of a built-in class. One that names its class is unchanged. */
export function withClass(val: RawJson, name: BuiltinClass): RawJson {
  if (!val.isObject) throw new ApiError('invalid_request', `an object of class ${name} must be a JSON object`)
  const { leaf_object_class } = readObjectClass(val)
  if (leaf_object_class === name) return val
  if (leaf_object_class !== null) {
    throw new ApiError('invalid_request', `the value is of class ${leaf_object_class}, not ${name}`)
  }
  const read = builtinType(name).read(val, ['obj', 'val'])
  if (isMismatch(read)) throw unprocessable(read.loc, read.msg)
  return RawJson.fromText(read.text)
}
