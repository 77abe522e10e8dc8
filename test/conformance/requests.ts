import type { Api, Doc } from './api.ts'
import { existing, fullBody, type OperationTable, requiredBody, TABLES } from './bodies.ts'
import { row } from './check.ts'
import { fail, hasType, same, sameMembers, type Type } from './expect.ts'

/** Section 4, whatever the operation: which fields must be there, of which type, and what an answer always has. */
const WRONG: Readonly<Record<Type, unknown>> = {
  string: ['a list'],
  integer: 'some',
  number: 'some',
  boolean: 'perhaps',
  array: 'a text',
  object: 'a text',
  datetime: 'yesterday',
}

/** A success has every key of the response table, each of its type. */
function checkAnswer({ answer }: OperationTable, got: Doc): void {
  for (const [key, type] of Object.entries(answer)) {
    if (!(key in got)) fail(key, 'the key to be there', Object.keys(got))
    if (type !== 'object or null') hasType(got[key], type, key)
    else if (got[key] !== null) hasType(got[key], 'object', key)
  }
}

/** Without sort_by an order is not promised. */
function sameAnswer(a: Doc, b: Doc): void {
  for (const key of Object.keys(a)) {
    if (Array.isArray(a[key]) && Array.isArray(b[key])) sameMembers(a[key], b[key], key)
    else same(a[key], b[key], key)
  }
}

async function accepted(table: OperationTable, api: Api, fields: Doc = {}): Promise<Doc> {
  const got = await api.post(table.path, {
    ...requiredBody(table, api),
    ...(await existing(table, api)),
    ...fields,
  })
  checkAnswer(table, got)
  return got
}

for (const table of TABLES) {
  const { section, path, fields, answer } = table
  const title = `${section} ${path.slice(1)}`

  row(title, 'every field of the table is accepted', async (api) => {
    await accepted(table, api, { ...fullBody(table, api), ...(await existing(table, api)) })
  })
  row(title, 'the answer is a JSON object', async (api) => {
    const got = await api.send(path, { ...requiredBody(table, api), ...(await existing(table, api)) })
    same(got.status, 200, 'status')
    if (!got.type.startsWith('application/json')) fail('content-type', 'application/json', got.type)
    checkAnswer(table, JSON.parse(got.text) as Doc)
  })
  for (const [key, type] of Object.entries(answer)) {
    row(title, `the required fields alone are answered by ${key} (${type})`, async (api) => {
      same(key in (await accepted(table, api)), true, `presence of ${key}`)
    })
  }
  row(title, 'a body that is not JSON is refused', async (api) => {
    await api.refuses(path, '{"project_id": ')
  })
  row(title, 'a body that is not an object is refused', async (api) => {
    await api.refuses(path, '[]')
  })

  for (const [name, field] of Object.entries(fields)) {
    if (field.required) {
      row(title, `${name} is required`, async (api) => {
        const body = requiredBody(table, api)
        delete body[name]
        await api.refuses(path, body)
      })
      row(title, `${name} may not be null`, async (api) => {
        await api.refuses(path, { ...requiredBody(table, api), [name]: null })
      })
    } else {
      row(title, `${name} sent as null is ${name} omitted`, async (api) => {
        const sent = await accepted(table, api, { [name]: null })
        const omitted = await accepted(table, api)
        if (path !== '/feedback/replace') sameAnswer(sent, omitted)
      })
      row(title, `${name} may be sent`, async (api) => {
        await accepted(table, api, { [name]: field.example(api) })
      })
    }
    // The server fills wb_user_id: it need not look at what a client wrote there.
    if (name === 'wb_user_id') continue
    row(title, `${name} is of type ${field.type}`, async (api) => {
      await api.refuses(path, { ...requiredBody(table, api), [name]: WRONG[field.type] })
    })
  }
}

for (const table of TABLES.filter(({ fields }) => 'project_id' in fields)) {
  row(`1 ${table.path.slice(1)}`, 'project_id has the form <entity>/<project>', async (api) => {
    await api.refuses(
      table.path,
      { ...requiredBody(table, api), project_id: 'no-slash' },
      ...(api.own ? [] : [403, 404]),
    )
  })
}
