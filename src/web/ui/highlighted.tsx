import { visibleText } from './visible-text.ts'

/** A text with some of its ranges marked. The text is only ever text. */
export function Highlighted(props: {
  readonly text: string
  readonly ranges: readonly (readonly [number, number])[]
}) {
  const parts: { readonly text: string; readonly isHit: boolean; readonly at: number }[] = []
  let at = 0
  for (const [from, to] of props.ranges) {
    if (from > at) parts.push({ text: props.text.slice(at, from), isHit: false, at })
    parts.push({ text: props.text.slice(from, to), isHit: true, at: from })
    at = to
  }
  if (at < props.text.length) parts.push({ text: props.text.slice(at), isHit: false, at })
  return (
    <>
      {parts.map((part) =>
        part.isHit ? (
          <mark key={part.at}>{visibleText(part.text)}</mark>
        ) : (
          <span key={part.at}>{visibleText(part.text)}</span>
        ),
      )}
    </>
  )
}
