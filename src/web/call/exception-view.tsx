import { CopyButton } from '../ui/copy-button.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { parseException, type StackFrame } from './exception.ts'
import { type StackGroup, stackGroups } from './stack-groups.ts'
import styles from './exception-view.module.css'

const MAX_CHARACTERS = 50_000

/** The exception of a call: type and message, then the frames of its stack trace. */
export function ExceptionView({ exception }: { readonly exception: string }) {
  const parsed = parseException(exception)
  const { type, message, hasFrames } = parsed
  const lineEnd = message.indexOf('\n')
  const firstLine = (lineEnd === -1 ? message : message.slice(0, lineEnd)).slice(0, 300)
  const isShortened = message.length > firstLine.length
  return (
    <section className={styles.exception} aria-label="Exception">
      <div className={styles.head}>
        <h3 dir="auto">
          {type !== '' && <span className={styles.type}>{visibleText(type)}</span>}
          {type !== '' && firstLine !== '' && ': '}
          {visibleText(firstLine)}
        </h3>
        <CopyButton text={exception} label="Copy exception" />
      </div>
      {isShortened && hasFrames && (
        <pre className={styles.text} dir="auto" tabIndex={0}>
          {visibleText(message)}
        </pre>
      )}
      {hasFrames && (
        <ol className={styles.stack} aria-label="Stack trace" tabIndex={0}>
          {stackGroups(parsed).map((group, i) => (
            <Group key={i} group={group} />
          ))}
        </ol>
      )}
      {hasFrames ? (
        <details className={styles.original}>
          <summary>Original text</summary>
          <pre className={styles.text} dir="auto" tabIndex={0}>
            {visibleText(exception.slice(0, MAX_CHARACTERS))}
          </pre>
        </details>
      ) : (
        (isShortened || exception.includes('\n')) && (
          <pre className={styles.text} dir="auto" tabIndex={0}>
            {visibleText(exception.slice(0, MAX_CHARACTERS))}
          </pre>
        )
      )}
    </section>
  )
}

/** A path inside of a package, without the directory that packages are installed in. */
function shortPath(path: string): string {
  return path.replace(/^.*[/\\](?:site-packages|dist-packages|node_modules)[/\\]/, '')
}

function Group({ group }: { readonly group: StackGroup }) {
  if (group.kind === 'text') {
    return (
      <li className={styles.note} dir="auto">
        {visibleText(group.text)}
      </li>
    )
  }
  if (group.kind === 'frame') {
    return (
      <li className={styles.frame}>
        <Frame frame={group.frame} />
      </li>
    )
  }
  return (
    <li className={styles.frame}>
      <details>
        <summary className={styles.place}>
          {group.frames.length === 1 ? '1 frame' : `${group.frames.length} frames`} of libraries
        </summary>
        {group.frames.map((frame, i) => (
          <div key={i} className={styles.folded}>
            <Frame frame={frame} />
          </div>
        ))}
      </details>
    </li>
  )
}

function Frame({ frame }: { readonly frame: StackFrame }) {
  const place = frame.line === '' ? frame.file : `${frame.file}:${frame.line}`
  return (
    <>
      <span className={`${styles.name} isolate`}>
        {visibleText(frame.name === '' ? '(top level)' : frame.name)}
      </span>{' '}
      <span className={`${styles.place} isolate`} title={visibleText(place)}>
        {visibleText(shortPath(place))}
      </span>
      {frame.code !== '' && (
        <code className={styles.code} dir="ltr">
          {visibleText(frame.code)}
        </code>
      )}
    </>
  )
}
