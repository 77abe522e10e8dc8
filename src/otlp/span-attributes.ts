import { RawJson } from '../contract/raw-json.ts'
import { isCredentialHeader } from '../core/calls/credential-keys.ts'
import { safeRecord } from '../core/json/safe-record.ts'
import { writeJson } from '../core/json/write.ts'
import { clampTime, formatTime } from '../core/time/time.ts'
import { AttributeTree } from './attribute-tree.ts'
import { callId } from './call-id.ts'
import { isAbsent, isObject, type Json, type JsonObject, toJson } from './json.ts'
import type { Attributes, Resource, Scope, Span, SpanEvent, SpanLink } from './model.ts'
import type { Resolution } from './resolve.ts'

/** The attributes of a call: mapped fields, what OpenTelemetry says about the span, and all other attributes. */

export interface AttributeParts {
  readonly span: Span
  readonly resolution: Resolution
  readonly kind: string
  readonly thread_id: string
  /** Usage of a span that is not itself a model call. */
  readonly usageReported: JsonObject | undefined
  readonly usageContradiction: string | undefined
}

const PREFIX = 'attributes.'

export function spanAttributes(parts: AttributeParts): RawJson {
  const { resolution, kind, thread_id, usageReported, usageContradiction } = parts
  const tree = new AttributeTree()
  // First, because readers look for it without parsing.
  tree.set(['kind'], kind)
  if (thread_id !== '') tree.set(['thread_id'], thread_id)
  for (const field of resolution.fields) {
    if (!field.startsWith(PREFIX)) continue
    const value = resolution.value(field)
    if (value !== undefined) tree.merge(fieldPath(field), value)
  }
  const model = resolution.value('attributes.model_requested')
  if (model !== undefined) tree.set(['model'], model)
  for (const { value } of resolution.findAll('metadata')) tree.merge(['metadata'], value)
  if (usageReported !== undefined) tree.set(['usage_reported'], usageReported)
  if (usageContradiction !== undefined) tree.set(['usage_contradiction'], usageContradiction)
  tree.set(['otel'], null)
  const given = resolution.value('attributes')
  if (isObject(given)) tree.merge([], given)
  const conflicts: [string, Json][] = []
  for (const [key, value] of resolution.otherAttributes()) {
    if (isCredentialHeader(key)) continue
    const json = toJson(value)
    if (!tree.add(key, json)) conflicts.push([key, json])
  }
  tree.replace('otel', RawJson.fromText(otelText(parts, conflicts)))
  return RawJson.fromText(tree.toString())
}

const paths = new Map<string, readonly string[]>()

/** Fields are names of our own, so there are few. */
function fieldPath(field: string): readonly string[] {
  let path = paths.get(field)
  if (path === undefined) {
    path = field.slice(PREFIX.length).split('.')
    paths.set(field, path)
  }
  return path
}

const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER']
const STATUSES = ['UNSET', 'OK', 'ERROR']

function otelText({ span, resolution }: AttributeParts, conflicts: [string, Json][]): string {
  let text = `{"span_id":${writeJson(span.spanId)},"name":${writeJson(span.name)},"kind":"${KINDS[span.kind] ?? 'UNSPECIFIED'}","scope":${scopeText(span.scope)},"resource":${resourceText(span.resource)}`
  if (span.statusCode !== 0)
    text += `,"status":${writeJson({ code: STATUSES[span.statusCode] ?? 'UNSET', message: span.statusMessage || undefined })}`
  const events = span.events.length === 0 ? [] : resolution.otherEvents()
  if (events.length > 0) text += `,"events":${writeJson(events.map(eventJson))}`
  if (conflicts.length > 0) text += `,"attributes":${writeJson(safeRecord(conflicts))}`
  if (span.links.length > 0) text += `,"links":${writeJson(span.links.map(linkJson))}`
  const { droppedAttributes: attributes, droppedEvents, droppedLinks: links } = span
  if (attributes + droppedEvents + links > 0)
    text += `,"dropped":${writeJson({ attributes, events: droppedEvents, links })}`
  return `${text}}`
}

const scopeTexts = new WeakMap<Scope, string>()

function scopeText(scope: Scope): string {
  let text = scopeTexts.get(scope)
  if (text === undefined) {
    text = writeJson({ name: scope.name, version: scope.version || undefined })
    scopeTexts.set(scope, text)
  }
  return text
}

/** The service and its SDK; the complete resource is in the dump. */
const RESOURCE_KEYS = [
  'service.name',
  'service.version',
  'service.namespace',
  'service.instance.id',
  'telemetry.sdk.language',
  'telemetry.sdk.name',
  'telemetry.sdk.version',
  'host.name',
  'k8s.pod.name',
]

const resourceTexts = new WeakMap<Resource, string>()

function resourceText(resource: Resource): string {
  let text = resourceTexts.get(resource)
  if (text === undefined) {
    const tree = new AttributeTree()
    for (const key of RESOURCE_KEYS) {
      const value = resource.attributes.get(key)
      if (value !== undefined && !isAbsent(value)) tree.set(key.split('.'), toJson(value))
    }
    text = tree.toString()
    resourceTexts.set(resource, text)
  }
  return text
}

function eventJson({ name, timeNanos, attributes }: SpanEvent): Json {
  return { name, time: formatTime(clampTime(timeNanos / 1000n)), attributes: attributesJson(attributes) }
}

function linkJson({ traceId, spanId, attributes }: SpanLink): Json {
  return {
    trace_id: traceId,
    span_id: spanId,
    call_id: callId(traceId, spanId),
    attributes: attributesJson(attributes),
  }
}

function attributesJson(attributes: Attributes): Json | undefined {
  return attributes.size === 0
    ? undefined
    : toJson(new Map([...attributes].filter(([key]) => !isCredentialHeader(key))))
}
