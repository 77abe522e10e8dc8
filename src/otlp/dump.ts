import { RawJson } from '../contract/raw-json.ts'
import { isCredentialHeader } from '../core/calls/credential-keys.ts'
import { REDACTED } from '../core/json/key-redactor.ts'
import { isIntegerText, JsonReader } from './dump-reader.ts'
import { base64, doubleText, MAX_VALUE_DEPTH } from './json.ts'
import type { Attributes, AttributeValue, Resource, Scope, Span, SpanEvent, SpanLink } from './model.ts'
import { quote, quoteKey } from './write.ts'

/**
 * The complete span as JSON, in the names of OTLP/JSON, and back. Attributes are one flat object, so that queries can
 * name them. A double has a `.` or an exponent, an integer has neither. What JSON has no type for is written
 * `{"bytesValue": "<base64>"}` or `{"doubleValue": "NaN"}`, and an object that looks like that
 * `{"kvlistValue": {…}}`.
 */
export function dumpSpan(span: Span): RawJson {
  let text = `{"resource":${resourceText(span.resource)},"scope":${scopeText(span.scope)},"span":{"traceId":${quote(span.traceId)},"spanId":${quote(span.spanId)}`
  if (span.parentSpanId !== '') text += `,"parentSpanId":${quote(span.parentSpanId)}`
  if (span.traceState !== '') text += `,"traceState":${quote(span.traceState)}`
  if (span.flags !== 0) text += `,"flags":${span.flags}`
  text += `,"name":${quote(span.name)},"kind":${span.kind},"startTimeUnixNano":"${span.startNanos}","endTimeUnixNano":"${span.endNanos}","attributes":${writeAttributes(span.attributes)}`
  if (span.events.length > 0) text += `,"events":[${span.events.map(writeEvent).join(',')}]`
  if (span.links.length > 0) text += `,"links":[${span.links.map(writeLink).join(',')}]`
  text += count('droppedAttributesCount', span.droppedAttributes)
  text += count('droppedEventsCount', span.droppedEvents)
  text += count('droppedLinksCount', span.droppedLinks)
  text += `,"status":{"code":${span.statusCode},"message":${quote(span.statusMessage)}}}}`
  return RawJson.fromText(text)
}

/** The bytes, about, that the dump of a span repeats of its resource and scope. */
export function sharedBytes({ resource, scope }: Pick<Span, 'resource' | 'scope'>): number {
  return resourceText(resource).length + scopeText(scope).length
}

/** All spans of a resource share its object, so its text is written once. */
const resourceTexts = new WeakMap<Resource, string>()
const scopeTexts = new WeakMap<Scope, string>()

function resourceText(resource: Resource): string {
  let text = resourceTexts.get(resource)
  if (text === undefined) {
    const schema = resource.schemaUrl === '' ? '' : `,${member('schemaUrl', quote(resource.schemaUrl))}`
    text = `{${member('attributes', writeAttributes(resource.attributes))}${schema}}`
    resourceTexts.set(resource, text)
  }
  return text
}

function scopeText(scope: Scope): string {
  let text = scopeTexts.get(scope)
  if (text === undefined) {
    const members = [
      member('name', quote(scope.name)),
      scope.version === '' ? '' : member('version', quote(scope.version)),
      scope.attributes.size === 0 ? '' : member('attributes', writeAttributes(scope.attributes)),
      scope.schemaUrl === '' ? '' : member('schemaUrl', quote(scope.schemaUrl)),
    ]
    text = `{${members.filter((each) => each !== '').join(',')}}`
    scopeTexts.set(scope, text)
  }
  return text
}

function writeEvent({ name, timeNanos, attributes, droppedAttributes }: SpanEvent): string {
  const dropped = count('droppedAttributesCount', droppedAttributes)
  return `{"name":${quote(name)},"timeUnixNano":"${timeNanos}","attributes":${writeAttributes(attributes)}${dropped}}`
}

function writeLink({ traceId, spanId, traceState, attributes }: SpanLink): string {
  const state = traceState === '' ? '' : `,${member('traceState', quote(traceState))}`
  return `{"traceId":${quote(traceId)},"spanId":${quote(spanId)}${state},"attributes":${writeAttributes(attributes)}}`
}

function member(key: string, json: string): string {
  return `"${key}":${json}`
}

function count(key: string, value: number): string {
  return value === 0 ? '' : `,"${key}":${value}`
}

function writeAttributes(attributes: Attributes): string {
  let members = ''
  for (const [key, value] of attributes) {
    const text = isCredentialHeader(key) ? quote(REDACTED) : writeValue(value, 0)
    members += `${members === '' ? '' : ','}${quoteKey(key)}:${text}`
  }
  return `{${members}}`
}

const TYPE_KEYS: ReadonlySet<string> = new Set(['bytesValue', 'doubleValue', 'kvlistValue'])

function writeValue(value: AttributeValue, depth: number): string {
  switch (typeof value) {
    case 'string':
      return quote(value)
    case 'bigint':
      return value.toString()
    case 'number':
      return Number.isFinite(value) ? doubleText(value) : `{"doubleValue":"${value}"}`
    case 'boolean':
      return value ? 'true' : 'false'
    default:
      if (value === null || depth >= MAX_VALUE_DEPTH) return 'null'
      if (value instanceof Uint8Array) return `{"bytesValue":"${base64(value)}"}`
      if (value instanceof Map) return writeMap(value as Attributes, depth)
      return `[${(value as readonly AttributeValue[]).map((item) => writeValue(item, depth + 1)).join(',')}]`
  }
}

function writeMap(map: Attributes, depth: number): string {
  const members = [...map].map(([key, value]) => `${quoteKey(key)}:${writeValue(value, depth + 1)}`)
  const [only] = map.keys()
  const text = `{${members.join(',')}}`
  return map.size === 1 && TYPE_KEYS.has(only ?? '') ? `{"kvlistValue":${text}}` : text
}

/** The span of a dump; undefined for a text that is none, such as the dump of another server. */
export function readDump(text: string): Span | undefined {
  const root = JsonReader.parse(text)
  const span = root?.member('span')
  if (root === undefined || span === undefined || span.text('spanId') === '') return undefined
  return {
    resource: {
      attributes: readAttributes(root.member('resource')),
      schemaUrl: root.member('resource')?.text('schemaUrl') ?? '',
    },
    scope: {
      name: root.member('scope')?.text('name') ?? '',
      version: root.member('scope')?.text('version') ?? '',
      attributes: readAttributes(root.member('scope')),
      schemaUrl: root.member('scope')?.text('schemaUrl') ?? '',
    },
    traceId: span.text('traceId'),
    spanId: span.text('spanId'),
    parentSpanId: span.text('parentSpanId'),
    traceState: span.text('traceState'),
    flags: span.number('flags'),
    name: span.text('name'),
    kind: span.number('kind'),
    startNanos: span.nanos('startTimeUnixNano'),
    endNanos: span.nanos('endTimeUnixNano'),
    attributes: readAttributes(span),
    droppedAttributes: span.number('droppedAttributesCount'),
    events: span.list('events').map((event) => ({
      name: event.text('name'),
      timeNanos: event.nanos('timeUnixNano'),
      attributes: readAttributes(event),
      droppedAttributes: event.number('droppedAttributesCount'),
    })),
    droppedEvents: span.number('droppedEventsCount'),
    links: span.list('links').map((link) => ({
      traceId: link.text('traceId'),
      spanId: link.text('spanId'),
      traceState: link.text('traceState'),
      attributes: readAttributes(link),
    })),
    droppedLinks: span.number('droppedLinksCount'),
    statusCode: span.member('status')?.number('code') ?? 0,
    statusMessage: span.member('status')?.text('message') ?? '',
  }
}

function readAttributes(owner: JsonReader | undefined): Attributes {
  return readMap(owner?.member('attributes'))
}

function readMap(object: JsonReader | undefined): Attributes {
  const members = object?.members ?? []
  return new Map(members.map(([key, value]) => [key, readValue(value)]))
}

function readValue(reader: JsonReader): AttributeValue {
  switch (reader.kind) {
    case 'string':
      return reader.string
    case 'object':
      return readTyped(reader) ?? readMap(reader)
    case 'array':
      return reader.items.map(readValue)
    case 'number':
      return isIntegerText(reader.source) ? BigInt(reader.source) : Number(reader.source)
    case 'boolean':
      return reader.source === 'true'
    case 'null':
      return null
  }
}

function readTyped(reader: JsonReader): AttributeValue | undefined {
  const { members } = reader
  const [first] = members
  if (first === undefined || members.length !== 1 || !TYPE_KEYS.has(first[0])) return undefined
  const [key, value] = first
  if (key === 'kvlistValue') return readMap(value)
  return key === 'bytesValue' ? new Uint8Array(Buffer.from(value.string, 'base64')) : Number(value.string)
}
