import { describe, expect, it } from 'vitest'
import { SUBTREE_NOT_EXTRACTED, VALUE_NOT_EXTRACTED, type JsonField } from '../json/json-fields.ts'
import { NamedFields } from './named-values.ts'

const NOTHING_EXTRACTED: JsonField = { path: 'attributes', value: SUBTREE_NOT_EXTRACTED }
const ROOT: JsonField = { path: 'attributes', value: VALUE_NOT_EXTRACTED }

function endUser(fields: NamedFields, attributes: object, attributeFields: readonly JsonField[]): string {
  return fields.values({
    thread_id: '',
    op_name: 'f',
    exception: undefined,
    attributes: Buffer.from(JSON.stringify(attributes)),
    summary: undefined,
    attributeFields,
    summaryFields: [],
  }).end_user
}

describe('the attributes of the end user', () => {
  const usual = new NamedFields()
  const own = new NamedFields(' customer.id, account ')

  it('are those of each instance', () => {
    const attributes = { user_id: 'ada', account: 7 }
    expect(endUser(usual, attributes, [NOTHING_EXTRACTED])).toBe('ada')
    expect(endUser(own, attributes, [NOTHING_EXTRACTED])).toBe('7')
    expect([usual.paths.has('attributes.user_id'), own.paths.has('attributes.user_id')]).toEqual([
      true,
      false,
    ])
  })

  it('with a dot are members of objects, or keys with a dot', () => {
    expect(endUser(own, { customer: { id: 'c1' } }, [NOTHING_EXTRACTED])).toBe('c1')
    expect(endUser(own, { 'customer.id': 'c2' }, [NOTHING_EXTRACTED])).toBe('c2')
  })

  it('are read from extracted fields, the first one first', () => {
    const extracted = [
      ROOT,
      { path: 'attributes.account', value: '=7' },
      { path: 'attributes.customer.id', value: '=c1' },
    ]
    expect(endUser(own, {}, extracted)).toBe('c1')
    expect(endUser(usual, {}, extracted)).toBe('')
  })
})
