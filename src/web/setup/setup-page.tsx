import { Button, SegmentedControl } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { BASE_PATH } from '../api/base-path.ts'
import { refreshQueries } from '../api/query-client.ts'
import { api } from '../api/client.ts'
import { projectParams, type Project, useProject } from '../api/project.ts'
import { useCanWrite } from '../api/role.tsx'
import { ActionButton } from '../ui/action-button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { PageHeader } from '../ui/page.tsx'
import { useDocumentTitle } from '../ui/use-title.ts'
import { FirstTraceStatus, useHasTraces } from './first-trace-status.tsx'
import styles from './setup-page.module.css'
import { otelSnippets } from './otel-snippets.ts'
import { agentPrompt, snippets } from './snippets.ts'
import { StackPicker } from './stack-picker.tsx'

const OPENTELEMETRY = 'OpenTelemetry'

/** Setup page: API key, code snippets with the key filled in, and demo data. */
export function SetupPage() {
  const project = useProject()
  useDocumentTitle('Setup', project.project_id)
  const [method, setMethod] = useState('Python')
  const [stack, setStack] = useState<string>()
  const [key, setKey] = useState<string>()
  const hasTraces = useHasTraces(project)
  const canWrite = useCanWrite()
  const createKey = useMutation({
    mutationFn: () => api.call('key_create', { name: `${project.project} (setup page)` }),
    onSuccess: (created) => setKey(created.key),
  })
  const target = { origin: window.location.origin + BASE_PATH, project_id: project.project_id, key }
  const all = snippets(target)
  const stacks = otelSnippets(target)
  const selected =
    method === OPENTELEMETRY
      ? (stacks.find(({ name }) => name === stack) ?? stacks[0])
      : all.find(({ name }) => name === method)
  return (
    <div className="scroll">
      <PageHeader title="Set up tracing" summary={project.project_id} />
      <div className={styles.body}>
        <FirstTraceStatus project={project} />
        <section className="card" aria-labelledby="key">
          <div className={styles.cardHead}>
            <h2 id="key">1. Create an API key</h2>
          </div>
          {key === undefined ? (
            <div className={styles.line}>
              <ActionButton icon="key" loading={createKey.isPending} onClick={() => createKey.mutate()}>
                Create API key
              </ActionButton>
              <span className="faint">The key is shown once and filled in below.</span>
            </div>
          ) : (
            <div className={styles.line}>
              <code className={styles.key}>{key}</code>
              <CopyButton text={key} label="Copy API key" />
              <span className="faint">Copy the key now. It is not shown again.</span>
            </div>
          )}
          {createKey.isError && <ErrorNotice error={createKey.error} />}
        </section>
        <section className="card" aria-labelledby="send">
          <div className={styles.cardHead}>
            <h2 id="send">2. Send your first trace</h2>
            <SegmentedControl
              aria-label="Method"
              value={method}
              onChange={setMethod}
              data={['Coding agent', ...all.map(({ name }) => name), OPENTELEMETRY]}
            />
          </div>
          {method === OPENTELEMETRY && (
            <StackPicker stacks={stacks.map(({ name }) => name)} value={selected?.name} onChange={setStack} />
          )}
          {method === 'Coding agent' ? (
            <CodeBlock about="Paste this into your coding agent" code={agentPrompt(target)} />
          ) : (
            selected?.steps.map((step) => <CodeBlock key={step.about} about={step.about} code={step.code} />)
          )}
        </section>
        {hasTraces === false && canWrite && <Demo project={project} />}
      </div>
    </div>
  )
}

function CodeBlock({ about, code }: { readonly about: string; readonly code: string }) {
  return (
    <figure className="frame">
      <figcaption className={styles.caption}>
        {about}
        <CopyButton text={code} label={`Copy: ${about}`} />
      </figcaption>
      <pre className={styles.pre} tabIndex={0}>
        {code}
      </pre>
    </figure>
  )
}

/** Fills the project with demo data, to explore Heddle without a program. */
function Demo({ project }: { readonly project: Project }) {
  const navigate = useNavigate()
  const fill = useMutation({
    mutationFn: () => api.call('project_demo', projectParams(project)),
    onSuccess: async () => {
      // Before this page learns that there are traces, and goes there too.
      await navigate({ to: '/$entity/$project/weave/traces', params: projectParams(project), search: {} })
      await refreshQueries()
    },
  })
  return (
    <section className="card" aria-labelledby="demo">
      <div className={styles.line}>
        <div className="grow">
          <h2 id="demo">Nothing to send yet?</h2>
          <p className="faint">
            Fill this project with demo data: agent traces, an evaluation, a dataset, feedback and costs.
          </p>
        </div>
        <Button variant="default" loading={fill.isPending} onClick={() => fill.mutate()}>
          Load demo data
        </Button>
      </div>
      {fill.isError && <ErrorNotice error={fill.error} />}
    </section>
  )
}
