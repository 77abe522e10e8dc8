import { useEffect, useState } from 'react'
import { visibleText } from '../ui/visible-text.ts'
import styles from './media-view.module.css'

const SHOWN_BYTES = 20_000

/** What is no image and no sound, as the text that it may be: SVG and HTML are read, never drawn. */
export function BytesAsText({ blob }: { readonly blob: Blob }) {
  const [text, setText] = useState<string>()
  useEffect(() => {
    let isGone = false
    const read = async (): Promise<void> => {
      const bytes = await blob.slice(0, SHOWN_BYTES).arrayBuffer()
      const found = textOf(bytes, blob.size > SHOWN_BYTES)
      if (!isGone) setText(found)
    }
    void read()
    return () => {
      isGone = true
    }
  }, [blob])
  if (text === undefined || text === '') return null
  return (
    <details className={styles.text}>
      <summary>Its bytes as text</summary>
      <pre dir="auto" tabIndex={0}>
        {visibleText(text)}
      </pre>
    </details>
  )
}

/** undefined for bytes that are no text. */
function textOf(bytes: ArrayBuffer, isCut: boolean): string | undefined {
  try {
    // What is cut may end within a character.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
    return text.includes('\u0000') ? undefined : text
  } catch {
    return undefined
  }
}
