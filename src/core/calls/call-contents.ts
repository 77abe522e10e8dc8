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

/** The document with the members that it lacks; undefined if nothing is added. It is unchanged if it is not an object. */
export function joinContents(
  document: Buffer,
  contents: readonly (string | undefined)[],
): Buffer | undefined {
  const node = document.length === 0 ? undefined : parseNode(document)
  const object = node?.kind === 'object' && node.members.size > 0 ? node : undefined
  if (object === undefined && !isEmpty(node)) return undefined
  const added = new Map<string, AddedMember>()
  for (const content of contents) {
    const members = content === undefined ? undefined : parseNode(Buffer.from(content))
    if (members?.kind !== 'object') continue
    for (const [name, value] of members.members)
      if (object?.members.has(name) !== true) addMember(added, name, value)
  }
  if (added.size === 0) return undefined
  const texts = [...added].map(([name, member]) => `${JSON.stringify(name)}:${memberText(member)}`)
  const own = object === undefined ? '' : `${object.text.trim().slice(1, -1).trimEnd()},`
  return Buffer.from(`{${own}${texts.join(',')}}`)
}

function isEmpty(node: Node | undefined): boolean {
  return node === undefined || node.kind === 'null' || (node.kind === 'object' && node.members.size === 0)
}

/** The text of a value, or the items of lists that are appended to each other: each as text without its brackets. */
type AddedMember = string | string[]

function addMember(added: Map<string, AddedMember>, name: string, value: Node): void {
  const known = added.get(name)
  const items =
    value.kind === 'array' ? [value.text.trim().slice(1, -1)].filter((text) => text.trim() !== '') : undefined
  if (known === undefined) added.set(name, items ?? nodeText(value))
  // Otherwise the first one stays.
  else if (items !== undefined && Array.isArray(known)) known.push(...items)
}

function memberText(member: AddedMember): string {
  return Array.isArray(member) ? `[${member.join(',')}]` : member
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
    case 'object':
      return node.text
  }
}
