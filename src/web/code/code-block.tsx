import { useMemo } from 'react'
import { CopyButton } from '../ui/copy-button.tsx'
import styles from './code-block.module.css'
import { CodeLines } from './code-lines.tsx'
import { highlightLines } from './highlight.ts'

/** File extensions of the languages that can be highlighted, by the names that authors use. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  python: 'py',
  py: 'py',
  javascript: 'js',
  js: 'js',
  jsx: 'jsx',
  typescript: 'ts',
  ts: 'ts',
  tsx: 'tsx',
  json: 'js',
}

/** Code within a text. */
export function CodeBlock({ code, language }: { readonly code: string; readonly language: string }) {
  const lines = useMemo(
    () => highlightLines(code, `code.${EXTENSIONS[language.toLowerCase()] ?? 'txt'}`),
    [code, language],
  )
  return (
    <div className={styles.block}>
      <pre className={styles.code} tabIndex={0} role="region" aria-label="Code">
        <CodeLines lines={lines} isNumbered={false} />
      </pre>
      <span className={styles.copy}>
        <CopyButton text={code} label="Copy code" />
      </span>
    </div>
  )
}
