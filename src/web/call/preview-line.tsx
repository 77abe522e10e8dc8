import { memo } from 'react'
import { visibleText } from '../ui/visible-text.ts'
import { previewParts } from './preview-text.ts'
import styles from './preview-line.module.css'

/** One-line preview of a JSON document. */
export const PreviewLine = memo(function PreviewLine({ json }: { readonly json: string }) {
  return (
    <span className={`${styles.line} isolate`}>
      {previewParts(json).map(({ key, text }, i) => (
        <span key={i}>
          {key !== undefined && <span className={styles.key}>{visibleText(key)} </span>}
          {visibleText(text)}
          {'  '}
        </span>
      ))}
    </span>
  )
})
