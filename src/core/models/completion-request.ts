import type { RawJson } from '../../contract/raw-json.ts'
import { REDACTED } from '../json/key-redactor.ts'
import { entries, stringValue } from '../json/navigate.ts'
import { buildObject, withMembers } from '../json/object.ts'

/**
 * The inputs of a completion, as Weave's API has them: the request of OpenAI's chat API, and some keys of Weave's own. What is
 * forwarded keeps its bytes.
 */
export class CompletionInputs {
  readonly sent: RawJson
  readonly #members: ReadonlyMap<string, RawJson>

  constructor(sent: RawJson) {
    this.sent = sent
    this.#members = new Map(entries(sent).filter(([, value]) => !value.isNull))
  }

  get(key: string): RawJson | undefined {
    return this.#members.get(key)
  }

  text(key: string): string | undefined {
    const member = this.get(key)
    return member && stringValue(member)
  }

  /** Undefined unless it is a number. */
  number(key: string): number | undefined {
    const value: unknown = JSON.parse(this.get(key)?.text ?? 'null')
    return typeof value === 'number' ? value : undefined
  }

  /** The body for the provider: without Weave's keys and nulls, with the given members added or replaced. */
  body(members: readonly (readonly [string, unknown])[]): string {
    const forwarded = [...this.#members].filter(([key]) => !NOT_FORWARDED.has(key))
    return withMembers(buildObject(forwarded), members).text
  }

  /** What the call of the trace records: as sent, without credentials. */
  get recorded(): RawJson {
    if (!this.#members.has('extra_headers') && !this.#members.has('vertex_credentials')) return this.sent
    const headers = this.get('extra_headers')
    const names = headers === undefined ? [] : entries(headers).map(([name]) => name)
    const kept = [...this.#members].filter(([key]) => key !== 'vertex_credentials' && key !== 'extra_headers')
    const hidden = buildObject(names.map((name) => [name, REDACTED]))
    return buildObject(headers === undefined ? kept : [...kept, ['extra_headers', hidden]])
  }
}

const NOT_FORWARDED: ReadonlySet<string> = new Set([
  'api_version',
  'extra_headers',
  'prompt',
  'stream',
  'template_vars',
  'timeout',
  'vertex_credentials',
])
