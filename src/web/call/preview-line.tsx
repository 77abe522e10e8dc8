import { memo } from 'react'
import { visibleText } from '../ui/visible-text.ts'
import { previewParts } from './preview-text.ts'
import styles from './preview-line.module.css'

interface Props {
  readonly json: string
  /** Changes the text of each part. */
  readonly format?: (text: string) => string
}

function asSent(text: string): string {
  return text
}

/** One-line preview of a JSON document. */
export const PreviewLine = memo(function PreviewLine({ json, format = asSent }: Props) {
  return (
    <span className={`${styles.line} isolate`}>
      {previewParts(json).map(({ key, text }, i) => (
        <span key={i}>
          {key !== undefined && <span className="faint">{visibleText(key)} </span>}
          {visibleText(format(text))}
          {'  '}
        </span>
      ))}
    </span>
  )
})
