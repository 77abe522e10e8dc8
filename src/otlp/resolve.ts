import { Attribute } from './attribute.ts'
import { DIALECTS } from './dialects/dialects.ts'
import { isAbsent, isList, type Json } from './json.ts'
import { emptyMessages } from './messages.ts'
import type { AttributeValue, Resource, Span, SpanEvent } from './model.ts'
import type { Dialect, Field, Rule } from './rules.ts'

/**
 * Finds the rules that apply to a span. The keys of all rules are indexed once, so the work depends on the attributes
 * of the span and not on the number of rules.
 */

/** One key, prefix or set of event names of a rule. */
interface Source {
  readonly dialect: number
  readonly field: Field
  /** Lower is better, within the field. */
  readonly rank: number
  readonly rule: Rule
}

/** A source with what the span has for it. */
export interface Hit {
  readonly source: Source
  readonly attributes: Attribute[]
  readonly events: SpanEvent[]
}

interface FieldHits {
  readonly list: Hit[]
  found: Found | undefined
  isRead: boolean
}

export interface Found {
  readonly value: Json
  /** For `sourceOf`. */
  readonly hit: Hit
}

/** The dialect that comes first for a field, other than by the order of the dialects. */
function firstDialect(field: Field): string | undefined {
  // An exception with its stack says more than a message.
  if (field === 'exception') return 'generic'
  const isCommon = field === 'kind' || field === 'thread_id' || field.startsWith('summary.usage.')
  return isCommon ? 'genai' : undefined
}

/** Where messages without content give way to others. */
function isOfMessages(field: Field): boolean {
  return field === 'inputs.messages' || field === 'output.messages'
}

const byKey = new Map<string, Source[]>()
const byPrefix = new Map<string, Source[]>()
const byEvent = new Map<string, Source[]>()
const byResourceKey = new Map<string, Source[]>()
const ignored = new Set<string>()
/** Rules that read no attribute, by dialect. */
const spanSources: Source[] = []
let longestPrefix = 0
const gatedDialects: (readonly [number, (span: Span) => boolean])[] = []

function addSource(index: Map<string, Source[]>, key: string, source: Source): void {
  const sources = index.get(key)
  if (sources === undefined) index.set(key, [source])
  else sources.push(source)
}

function indexDialect({ name, applies, ignores = [], rules }: Dialect, dialect: number): void {
  for (const key of ignores) ignored.add(key)
  if (applies !== undefined) gatedDialects.push([dialect, applies])
  rules.forEach((rule, position) => {
    const first = firstDialect(rule.field) === name ? 0 : 1
    const place = ((first * 100 + dialect) * 1000 + position) * 100
    const source = (rank: number): Source => ({ dialect, field: rule.field, rank, rule })
    if ('under' in rule) {
      addSource(byPrefix, rule.under, source(place))
      longestPrefix = Math.max(longestPrefix, rule.under.length)
    } else if ('events' in rule) {
      const shared = source(place)
      for (const name of rule.events) addSource(byEvent, name, shared)
    } else if ('spanName' in rule) spanSources.push(source(place))
    else {
      const index = rule.in === 'resource' ? byResourceKey : byKey
      rule.from.forEach((key, i) => addSource(index, key, source(place + i)))
    }
  })
}

DIALECTS.forEach(indexDialect)

/** What the rules found in one span. Values are read when they are asked for. */
export class Resolution {
  readonly #span: Span
  readonly #hits = new Map<Field, FieldHits>()
  /** Attributes that no rule knows. */
  readonly #unknown: (readonly [string, AttributeValue])[] = []
  readonly #known: Attribute[] = []
  readonly #readEvents = new Set<SpanEvent>()
  #inactive = 0

  constructor(span: Span) {
    this.#span = span
    for (const [dialect, applies] of gatedDialects) if (!applies(span)) this.#inactive |= 1 << dialect
    for (const [key, value] of span.attributes) this.#addAttribute(key, value)
    for (const event of span.events) this.#addEvent(event)
    for (const source of spanSources) if ((this.#inactive & (1 << source.dialect)) === 0) this.#hit(source)
    for (const [key, value] of resourceHits(span.resource))
      this.#addHits(byResourceKey.get(key)!, new Attribute(key, value))
  }

  #addAttribute(key: string, value: AttributeValue): void {
    const sources = byKey.get(key)
    if (sources !== undefined) {
      if (isAbsent(value)) return
      const attribute = new Attribute(key, value)
      if (this.#addHits(sources, attribute)) {
        this.#known.push(attribute)
        return
      }
    }
    // No further than the longest prefix: a key may consist of dots, and each lookup hashes what is before one.
    for (let dot = key.indexOf('.'); dot !== -1 && dot < longestPrefix; dot = key.indexOf('.', dot + 1)) {
      const group = byPrefix.get(key.slice(0, dot + 1))
      if (group === undefined) continue
      if (isAbsent(value)) return
      const attribute = new Attribute(key, value, dot + 1)
      if (this.#addHits(group, attribute)) {
        this.#known.push(attribute)
        return
      }
    }
    if (!ignored.has(key)) this.#unknown.push([key, value])
  }

  #addEvent(event: SpanEvent): void {
    for (const source of byEvent.get(event.name) ?? []) {
      if ((this.#inactive & (1 << source.dialect)) !== 0) continue
      this.#hit(source).events.push(event)
    }
  }

  #addHits(sources: readonly Source[], attribute: Attribute): boolean {
    let isKnown = false
    for (const source of sources) {
      if ((this.#inactive & (1 << source.dialect)) !== 0) continue
      this.#hit(source).attributes.push(attribute)
      attribute.readers++
      isKnown = true
    }
    return isKnown
  }

  /** What the span has for a source; groups and events have several parts. */
  #hit(source: Source): Hit {
    const known = this.#hits.get(source.field)
    const last = known?.list.find((hit) => hit.source === source)
    if (last !== undefined) return last
    const hit: Hit = { source, attributes: [], events: [] }
    if (known === undefined) this.#hits.set(source.field, { list: [hit], found: undefined, isRead: false })
    else known.list.push(hit)
    return hit
  }

  get fields(): Iterable<Field> {
    return this.#hits.keys()
  }

  has(field: Field): boolean {
    return this.#hits.has(field)
  }

  /** The value of the first rule that has one. */
  find(field: Field): Found | undefined {
    const hits = this.#hits.get(field)
    if (hits === undefined) return undefined
    if (!hits.isRead) {
      hits.isRead = true
      hits.found = this.#read(hits.list)
    }
    return hits.found
  }

  value(field: Field): Json | undefined {
    return this.find(field)?.value
  }

  text(field: Field): string | undefined {
    const value = this.find(field)?.value
    return typeof value === 'string' && value !== '' ? value : undefined
  }

  /** Whether the rule that was found says that cached tokens are not among those of the prompt. */
  excludesCache(field: Field): boolean {
    const rule = this.find(field)?.hit.source.rule
    return rule !== undefined && 'from' in rule && rule.excludesCache === true
  }

  /** The values of all rules, for fields that are merged. */
  findAll(field: Field): readonly Found[] {
    return (this.#hits.get(field)?.list ?? []).flatMap((hit) => this.#read([hit]) ?? [])
  }

  #read(hits: Hit[]): Found | undefined {
    if (hits.length > 1) hits.sort((a, b) => a.source.rank - b.source.rank)
    let empty: Found | undefined
    for (const hit of hits) {
      const value = this.#valueOf(hit)
      if (value === undefined || value === null || value === '') {
        for (const attribute of hit.attributes) attribute.readers--
        continue
      }
      if (isOfMessages(hit.source.field) && isList(value) && emptyMessages(value) === value.length) {
        empty ??= { value, hit }
        continue
      }
      for (const event of hit.events) this.#readEvents.add(event)
      return { value, hit }
    }
    return empty
  }

  #valueOf({ source: { rule }, attributes, events }: Hit): Json | undefined {
    if ('under' in rule) return rule.readGroup(attributes, this.#span)
    if ('events' in rule) return rule.readEvents(events, this.#span)
    if ('spanName' in rule) return rule.readSpan(this.#span)
    const attribute = attributes[0]!
    return rule.read === undefined ? attribute.plain : rule.read(attribute, this.#span)
  }

  /** Events that no rule has read. */
  otherEvents(): readonly SpanEvent[] {
    return this.#span.events.filter((event) => !this.#readEvents.has(event))
  }

  /** Attributes that no rule knows, or that none could read. */
  *otherAttributes(): Iterable<readonly [string, AttributeValue]> {
    yield* this.#unknown
    for (const { key, value, readers } of this.#known) if (readers === 0) yield [key, value]
  }
}

/** The dialect of a value, and the keys or names that it was read from. */
export function sourceOf({ hit: { source, attributes, events } }: Found): {
  readonly dialect: string
  readonly dialect_title: string
  readonly from: readonly string[]
} {
  const { rule } = source
  const from =
    'under' in rule
      ? [`${rule.under}*`]
      : 'events' in rule
        ? [...new Set(events.map((event) => `event ${event.name}`))]
        : 'spanName' in rule
          ? ['span name']
          : attributes.map(({ key }) => (rule.in === 'resource' ? `resource ${key}` : key))
  const { name, title } = DIALECTS[source.dialect]!
  return { dialect: name, dialect_title: title, from }
}

/** Spans share the object of their resource, so it is searched once. */
const knownResources = new WeakMap<Resource, readonly (readonly [string, AttributeValue])[]>()

function resourceHits(resource: Resource): readonly (readonly [string, AttributeValue])[] {
  let hits = knownResources.get(resource)
  if (hits === undefined) {
    hits = [...resource.attributes].filter(([key, value]) => byResourceKey.has(key) && !isAbsent(value))
    knownResources.set(resource, hits)
  }
  return hits
}
