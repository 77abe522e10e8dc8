/** One line of Markdown without its syntax, for previews. */
export function plainMarkdown(text: string): string {
  return text
    .replaceAll(/!?\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    .replaceAll(/(?:\|\s*:?-{3,}:?\s*)+\|?/g, ' ')
    .replaceAll(/(\*\*|__|~~)(?=\S)(.+?)\1/g, '$2')
    .replaceAll(/(?<![\w*])\*(?=\S)([^*]+)\*(?![\w*])/g, '$1')
    .replaceAll(/`{1,3}([^`]+)`{1,3}/g, '$1')
    .replaceAll(/(?:^|\s)(?:#{1,6}|[-+*] \[[ xX]\])(?=\s)/g, ' ')
    .replaceAll(/\s\|\s|^\|\s|\s\|$/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
