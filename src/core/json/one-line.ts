/**
 * JSON on one line. Outside of strings, where the line ends of a payload stand that was sent over several lines, any
 * space means the same; inside of them a line end is always spelled as an escape.
 */
export function onOneLine(json: string): string {
  return json.includes('\n') || json.includes('\r') ? json.replaceAll(/[\n\r]/g, ' ') : json
}
