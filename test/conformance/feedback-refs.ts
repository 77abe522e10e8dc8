import type { Api } from './api.ts'
import { check, checkDecision } from './check.ts'
import { feedbackBody } from './fixtures.ts'

/** Section 8: the refs of feedback. Section 13 has three forms; 8.14 has the kind that each field takes. */
const REPLACE = 'feedback/replace'

const KINDS = ['object', 'op', 'call'] as const
type Kind = (typeof KINDS)[number]

const FIELDS: Readonly<Record<string, readonly Kind[]>> = {
  item_ref: KINDS,
  annotation_ref: ['object'],
  // A scorer is an op or an object: SDKs store either here.
  runnable_ref: ['op', 'object'],
  call_ref: ['call'],
  trigger_ref: ['object'],
}

const refTo = (api: Api, kind: Kind): string => api.ref(kind, kind === 'call' ? 'x' : 'x:abc')

/** Texts that have none of the three forms. */
const NO_REFS: Readonly<Record<string, (api: Api) => string>> = {
  'a text': () => 'not a ref',
  'an empty text': () => '',
  'a URL': () => 'http://127.0.0.1/x',
  'a ref without a project': (api) => `${api.target.scheme}:///only`,
  'a ref of a project': (api) => `${api.target.scheme}:///${api.project_id}`,
  'a ref of nothing in a project': (api) => `${api.target.scheme}:///${api.project_id}/`,
  'a ref of an unknown kind': (api) => `${api.target.scheme}:///${api.project_id}/bogus/x`,
  'a call without an id': (api) => api.ref('call', ''),
  'an object without a digest': (api) => api.ref('object', 'x'),
  'an object without a name': (api) => api.ref('object', ':abc'),
  'an op without a digest': (api) => api.ref('op', 'x'),
  'two slashes': (api) => refTo(api, 'call').replace(':///', '://'),
  'another scheme': (api) => refTo(api, 'call').replace(api.target.scheme, 'other'),
  'no scheme': (api) => `${api.project_id}/call/x`,
  'a space before the ref': (api) => ` ${refTo(api, 'call')}`,
}

for (const [field, kinds] of Object.entries(FIELDS)) {
  for (const kind of KINDS) {
    if (kinds.includes(kind)) {
      check('8.14', REPLACE, `${field} takes a ref of the kind ${kind}`, async (api) => {
        await api.postUndocumented('/feedback/replace', feedbackBody(api, { [field]: refTo(api, kind) }))
      })
    } else {
      checkDecision('8.15', REPLACE, `${field} rejects a ref of the kind ${kind}`, async (api) =>
        api.rejectsNaming(field, '/feedback/replace', feedbackBody(api, { [field]: refTo(api, kind) })),
      )
    }
  }
  for (const [name, text] of Object.entries(NO_REFS)) {
    checkDecision('8.16', REPLACE, `${field} rejects ${name}`, async (api) =>
      api.rejectsNaming(field, '/feedback/replace', feedbackBody(api, { [field]: text(api) })),
    )
  }
  for (const bad of [1, {}, [], true]) {
    check('8.12', REPLACE, `${field} ${JSON.stringify(bad)} is rejected`, async (api) =>
      api.rejectsNaming(field, '/feedback/replace', feedbackBody(api, { [field]: bad })),
    )
  }
}
