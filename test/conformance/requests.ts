import type { Api, Doc } from './api.ts'
import { existingIds, fullBody, type OperationTable, requiredBody, TABLES } from './bodies.ts'
import { check } from './check.ts'
import { fail, hasType, same, sameMembers, type Type } from './expect.ts'

/** Section 11, for every operation: required fields, their types, and the keys of the response. */
const WRONG_TYPE: Readonly<Record<Type, unknown>> = {
  string: ['a list'],
  integer: 'some',
  number: 'some',
  boolean: 'perhaps',
  array: 'a text',
  object: 'a text',
  datetime: 'yesterday',
}

/** A successful response has every key of the response table, with its type. */
function checkResponse({ responseFields }: OperationTable, got: Doc): void {
  for (const [key, type] of Object.entries(responseFields)) {
    if (!(key in got)) fail(key, 'the key to be present', Object.keys(got))
    if (type !== 'object or null') hasType(got[key], type, key)
    else if (got[key] !== null) hasType(got[key], 'object', key)
  }
}

/** Lists are compared without order: without sort_by the order is not specified. */
function sameResponse(a: Doc, b: Doc): void {
  for (const key of Object.keys(a)) {
    if (Array.isArray(a[key]) && Array.isArray(b[key])) sameMembers(a[key], b[key], key)
    else same(a[key], b[key], key)
  }
}

async function accepted(table: OperationTable, api: Api, fields: Doc = {}): Promise<Doc> {
  const got = await api.post(table.path, {
    ...requiredBody(table, api),
    ...(await existingIds(table, api)),
    ...fields,
  })
  checkResponse(table, got)
  return got
}

for (const table of TABLES) {
  const { path, fields, responseFields } = table
  const subject = path.slice(1)

  check('11.2', subject, 'every field is accepted', async (api) => {
    await accepted(table, api, { ...fullBody(table, api), ...(await existingIds(table, api)) })
  })
  check('11.6', subject, 'the response is a JSON object', async (api) => {
    const got = await api.send(path, { ...requiredBody(table, api), ...(await existingIds(table, api)) })
    same(got.status, 200, 'status')
    if (!got.type.startsWith('application/json')) fail('content-type', 'application/json', got.type)
    checkResponse(table, JSON.parse(got.text) as Doc)
  })
  for (const [key, type] of Object.entries(responseFields)) {
    check('11.6', subject, `the required fields alone return ${key} (${type})`, async (api) => {
      same(key in (await accepted(table, api)), true, `presence of ${key}`)
    })
  }
  check('11.7', subject, 'a body that is not JSON is rejected', async (api) => {
    await api.rejects(path, '{"project_id": ')
  })
  check('11.7', subject, 'a body that is not an object is rejected', async (api) => {
    await api.rejects(path, '[]')
  })

  for (const [name, field] of Object.entries(fields)) {
    if (field.required) {
      check('11.3', subject, `${name} is required`, async (api) => {
        const body = requiredBody(table, api)
        delete body[name]
        await api.rejects(path, body)
      })
      check('11.3', subject, `${name} may not be null`, async (api) => {
        await api.rejects(path, { ...requiredBody(table, api), [name]: null })
      })
    } else {
      check('11.4', subject, `${name} null is the same as ${name} omitted`, async (api) => {
        const sent = await accepted(table, api, { [name]: null })
        const omitted = await accepted(table, api)
        if (path !== '/feedback/replace') sameResponse(sent, omitted)
      })
      check('11.2', subject, `${name} is accepted`, async (api) => {
        await accepted(table, api, { [name]: field.example(api) })
      })
    }
    // The server sets wb_user_id; it need not validate what a client sends.
    if (name === 'wb_user_id') continue
    check('11.5', subject, `${name} must be of type ${field.type}`, async (api) => {
      await api.rejects(path, { ...requiredBody(table, api), [name]: WRONG_TYPE[field.type] })
    })
  }
}

for (const table of TABLES.filter(({ fields }) => 'project_id' in fields)) {
  check('13.1', table.path.slice(1), 'project_id has the form <entity>/<project>', async (api) => {
    await api.rejects(
      table.path,
      { ...requiredBody(table, api), project_id: 'no-slash' },
      ...(api.isHeddle ? [] : [403, 404]),
    )
  })
}
