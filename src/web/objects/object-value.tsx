import { Suspense, useMemo } from 'react'
import { lazyComponent } from '../loading/lazy-component.ts'
import { stringAt } from '../../client/browser/json-scan.ts'
import type { Project } from '../api/project.ts'
import { readConversation } from '../call/conversation.ts'
import { ConversationView } from '../call/conversation-view.tsx'
import { PayloadSection } from '../call/payload-section.tsx'
import { JsonIndex } from '../json/json-index.ts'
import { JsonView } from '../json/json-view.tsx'
import { valueAt } from '../json/value-at.ts'
import { mediaAt } from '../media/media-value.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatBytes } from '../ui/format.ts'
import { visibleText } from '../ui/visible-text.ts'
import { objectFiles } from './object-files.ts'
import type { ObjectKind } from './object-kind.ts'
import { findRefs } from './object-refs.ts'
import styles from './object-value.module.css'
import { RefLink } from '../ui/ref-link.tsx'
import { useFiles } from './use-files.ts'

const CodeView = lazyComponent(() => import('../code/code-view.tsx'), 'CodeView')

interface Props {
  readonly project: Project
  readonly kind: ObjectKind
  readonly val: string
}

/** The content of a version: code highlighted, prompts as messages, and the value as published. */
export function ObjectValue({ project, kind, val }: Props) {
  const source = useMemo(() => new JsonIndex(val), [val])
  // Images and audio are shown with the value; the files of all other objects are code.
  const files = useMemo(() => (mediaAt(val, 0) === undefined ? objectFiles(val) : []), [val])
  const refs = useMemo(() => findRefs(val), [val])
  const isPrompt = kind.name === 'prompts'
  const messages = useMemo(() => (isPrompt ? readConversation(val, 'null') : undefined), [isPrompt, val])
  const content = useMemo(
    () => (isPrompt ? stringContent(valueAt(val, ['content'])) : undefined),
    [isPrompt, val],
  )
  const hasReadableView = files.length > 0 || messages !== undefined || content !== undefined
  return (
    <div className={styles.value}>
      {files.length > 0 && <Files project={project} files={files} />}
      {messages !== undefined && (
        <PayloadSection title="Messages">
          <ConversationView messages={messages} sources={{ inputs: source, output: source }} />
        </PayloadSection>
      )}
      {content !== undefined && (
        <PayloadSection title="Prompt">
          <p className={styles.prompt} dir="auto">
            {visibleText(content)}
          </p>
        </PayloadSection>
      )}
      {refs.length > 0 && (
        <PayloadSection title="References" about={String(refs.length)}>
          <ul className={styles.refs}>
            {refs.map(({ path, ref }) => (
              <li key={path}>
                <code className={styles.path}>{path === '' ? 'value' : path}</code>
                <RefLink text={ref}>{shortRef(ref)}</RefLink>
              </li>
            ))}
          </ul>
        </PayloadSection>
      )}
      <PayloadSection title="Value" about={formatBytes(val.length)} isCollapsed={hasReadableView}>
        <JsonView source={source} name="val" />
      </PayloadSection>
    </div>
  )
}

function Files({
  project,
  files,
}: {
  readonly project: Project
  readonly files: ReturnType<typeof objectFiles>
}) {
  const texts = useFiles(project, files)
  return (
    <Suspense fallback={null}>
      {files.map(({ name }, i) => {
        const file = texts[i]
        if (file?.isError === true) {
          return <ErrorNotice key={name} error={file.error} retry={() => void file.refetch()} />
        }
        return file?.data === undefined ? null : <CodeView key={name} fileName={name} code={file.data} />
      })}
    </Suspense>
  )
}

function stringContent(json: string | undefined): string | undefined {
  return json?.startsWith('"') === true ? stringAt(json, 0) : undefined
}

/** `name:digest` without the project and with a short digest. The link has the full ref. */
function shortRef(ref: string): string {
  const [, name = ref, digest = ''] = /\/(?:op|object)\/([^/]+):([^/:]+)/.exec(ref) ?? []
  return digest === '' ? ref : `${name}:${digest.slice(0, 8)}`
}
