import { memo } from 'react'
import { visibleText } from '../ui/visible-text.ts'
import { previewParts } from './preview-text.ts'
import styles from './preview-line.module.css'

/** How a document begins, in one line: names of members fainter than what they hold. */
export const PreviewLine = memo(function PreviewLine({ json }: { readonly json: string }) {
  return (
    <span className={`${styles.line} foreign`}>
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
