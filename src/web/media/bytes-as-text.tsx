import { useEffect, useState } from 'react'
import { visibleText } from '../ui/visible-text.ts'
import styles from './media-view.module.css'

const MAX_TEXT_BYTES = 20_000

/** Shows the bytes of an unsupported media type as text. SVG and HTML are shown as source, never rendered. */
export function BytesAsText({ blob }: { readonly blob: Blob }) {
  const [text, setText] = useState<string>()
  useEffect(() => {
    let isCancelled = false
    const read = async (): Promise<void> => {
      const bytes = await blob.slice(0, MAX_TEXT_BYTES).arrayBuffer()
      const found = decodeText(bytes, blob.size > MAX_TEXT_BYTES)
      if (!isCancelled) setText(found)
    }
    void read()
    return () => {
      isCancelled = true
    }
  }, [blob])
  if (text === undefined || text === '') return null
  return (
    <details className={styles.text}>
      <summary>View as text</summary>
      <pre dir="auto" tabIndex={0}>
        {visibleText(text)}
      </pre>
    </details>
  )
}

/** `undefined` if the bytes are not UTF-8 text. */
function decodeText(bytes: ArrayBuffer, isTruncated: boolean): string | undefined {
  try {
    // Truncated bytes may end within a character.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isTruncated })
    return text.includes('\u0000') ? undefined : text
  } catch {
    return undefined
  }
}
