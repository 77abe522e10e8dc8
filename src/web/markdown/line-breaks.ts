interface MarkdownNode {
  readonly type: string
  readonly value?: string
  children?: MarkdownNode[]
}

/**
 * Keeps the line breaks of a text: Markdown joins the lines of a paragraph, but who wrote a prompt or a message into a
 * field meant them. A plugin of remark.
 */
export function keepLineBreaks(): (tree: MarkdownNode) => void {
  return breakLines
}

function breakLines(node: MarkdownNode): void {
  if (node.children === undefined) return
  node.children = node.children.flatMap((child) => {
    if (child.type !== 'text') {
      breakLines(child)
      return [child]
    }
    const [first = '', ...others] = (child.value ?? '').split('\n')
    return [
      { type: 'text', value: first },
      ...others.flatMap((line) => [{ type: 'break' }, { type: 'text', value: line }]),
    ]
  })
}
