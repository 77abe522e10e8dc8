import { type Node, parseNode } from '../query/node.ts'

/**
 * Contents of calls: inputs and outputs that OpenTelemetry instrumentations send as log records, apart from their span and
 * in any order. They add members to `inputs` and `output` that the call's own records do not have. Lists of the same name
 * are appended to each other, so several log records make up one conversation.
 */
export interface CallContent {
  /** Orders the contents of one call. */
  readonly timeNanos: bigint
  /** JSON objects, as texts. */
  readonly inputs: string | undefined
  readonly output: string | undefined
}

export function encodeContent({ timeNanos, inputs, output }: CallContent): Buffer {
  return Buffer.from(`{"time":"${timeNanos}","inputs":${inputs ?? 'null'},"output":${output ?? 'null'}}`)
}

function decodeContent(bytes: Buffer): CallContent {
  const node = parseNode(bytes)
  const members = node.kind === 'object' ? node.members : new Map<string, Node>()
  const time = members.get('time')
  const text = (name: 'inputs' | 'output'): string | undefined => {
    const member = members.get(name)
    return member?.kind === 'object' ? member.text : undefined
  }
  return {
    timeNanos: time?.kind === 'string' ? BigInt(time.value) : 0n,
    inputs: text('inputs'),
    output: text('output'),
  }
}

/** The contents in their order, whatever the order in which they arrived. */
export function sortedContents(encoded: readonly Buffer[]): CallContent[] {
  return encoded
    .map((bytes) => ({ bytes, content: decodeContent(bytes) }))
    .toSorted((a, b) => {
      const later = a.content.timeNanos - b.content.timeNanos
      return later === 0n ? Buffer.compare(a.bytes, b.bytes) : later > 0n ? 1 : -1
    })
    .map(({ content }) => content)
}

/** The document with the members that it lacks; undefined if nothing is added. It stays as it is if it is no object. */
export function joinContents(
  document: Buffer,
  contents: readonly (string | undefined)[],
): Buffer | undefined {
  const node = document.length === 0 ? undefined : parseNode(document)
  const object = node?.kind === 'object' && node.members.size > 0 ? node : undefined
  if (object === undefined && !isEmpty(node)) return undefined
  const added = new Map<string, string>()
  for (const content of contents) {
    const members = content === undefined ? undefined : parseNode(Buffer.from(content))
    if (members?.kind !== 'object') continue
    for (const [name, value] of members.members)
      if (object?.members.has(name) !== true) added.set(name, appended(added.get(name), value))
  }
  if (added.size === 0) return undefined
  const texts = [...added].map(([name, text]) => `${JSON.stringify(name)}:${text}`)
  const own = object === undefined ? '' : `${object.text.trim().slice(1, -1).trimEnd()},`
  return Buffer.from(`{${own}${texts.join(',')}}`)
}

function isEmpty(node: Node | undefined): boolean {
  return node === undefined || node.kind === 'null' || (node.kind === 'object' && node.members.size === 0)
}

function appended(known: string | undefined, value: Node): string {
  if (known === undefined) return nodeText(value)
  // Otherwise the first one stays.
  if (value.kind !== 'array' || !known.startsWith('[') || value.items.length === 0) return known
  return known === '[]' ? value.text : `${known.slice(0, -1)},${value.text.slice(1)}`
}

function nodeText(node: Node): string {
  switch (node.kind) {
    case 'null':
      return 'null'
    case 'bool':
      return String(node.value)
    case 'number':
      return node.lexeme
    case 'string':
      return JSON.stringify(node.value)
    case 'array':
      return node.items.length === 0 ? '[]' : node.text.trim()
    case 'object':
      return node.text
  }
}
