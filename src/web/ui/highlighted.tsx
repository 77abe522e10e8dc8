import { visibleText } from './visible-text.ts'

/** A text with highlighted ranges. It is always rendered as text, never as HTML. */
export function Highlighted(props: {
  readonly text: string
  readonly ranges: readonly (readonly [number, number])[]
}) {
  const parts: { readonly text: string; readonly isMatch: boolean; readonly at: number }[] = []
  let at = 0
  for (const [from, to] of props.ranges) {
    if (from > at) parts.push({ text: props.text.slice(at, from), isMatch: false, at })
    parts.push({ text: props.text.slice(from, to), isMatch: true, at: from })
    at = to
  }
  if (at < props.text.length) parts.push({ text: props.text.slice(at), isMatch: false, at })
  return (
    <>
      {parts.map((part) =>
        part.isMatch ? (
          <mark key={part.at}>{visibleText(part.text)}</mark>
        ) : (
          <span key={part.at}>{visibleText(part.text)}</span>
        ),
      )}
    </>
  )
}
