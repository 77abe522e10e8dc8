import { Button, SegmentedControl } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { inPath, type Project, useProject } from '../api/project.ts'
import { queryClient } from '../api/query-client.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Failure } from '../ui/failure.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { useTitle } from '../ui/use-title.ts'
import { Listening } from './listening.tsx'
import styles from './setup-page.module.css'
import { agentPrompt, snippets } from './snippets.ts'

/** The page of a project without calls: everything that leads to the first one, with the blanks filled in. */
export function SetupPage() {
  const project = useProject()
  useTitle('Set up', project.project_id)
  const [way, setWay] = useState('Python')
  const [key, setKey] = useState<string>()
  const makeKey = useMutation({
    mutationFn: () => api.call('key_create', { name: `${project.project} (set up in the browser)` }),
    onSuccess: (made) => setKey(made.key),
  })
  const facts = { origin: window.location.origin, project_id: project.project_id, key }
  const all = snippets(facts)
  const chosen = all.find(({ name }) => name === way)
  return (
    <div className={styles.page}>
      <PageHead title="Set up tracing" about={project.project_id} />
      <div className={styles.body}>
        <Listening project={project} />
        <section className={styles.card} aria-labelledby="key">
          <div className={styles.cardHead}>
            <h2 id="key">1. A key for your program</h2>
          </div>
          {key === undefined ? (
            <div className={styles.line}>
              <Button
                leftSection={<Icon name="key" size={14} />}
                loading={makeKey.isPending}
                onClick={() => makeKey.mutate()}
              >
                Make a key
              </Button>
              <span className={styles.faint}>It is filled in below. You will see it once.</span>
            </div>
          ) : (
            <div className={styles.line}>
              <code className={styles.key}>{key}</code>
              <CopyButton text={key} label="Copy the key" />
              <span className={styles.faint}>Keep it now: it is not shown again.</span>
            </div>
          )}
          {makeKey.isError && <Failure error={makeKey.error} />}
        </section>
        <section className={styles.card} aria-labelledby="send">
          <div className={styles.cardHead}>
            <h2 id="send">2. Send the first trace</h2>
            <SegmentedControl
              aria-label="How to send"
              value={way}
              onChange={setWay}
              data={['Coding agent', ...all.map(({ name }) => name)]}
            />
          </div>
          {way === 'Coding agent' ? (
            <Lines about="Paste this into your coding agent" lines={agentPrompt(facts)} />
          ) : (
            chosen?.steps.map((step) => <Lines key={step.about} about={step.about} lines={step.lines} />)
          )}
        </section>
        <Demo project={project} />
      </div>
    </div>
  )
}

function Lines({ about, lines }: { readonly about: string; readonly lines: string }) {
  return (
    <figure className={styles.lines}>
      <figcaption className={styles.caption}>
        {about}
        <CopyButton text={lines} label={`Copy: ${about}`} />
      </figcaption>
      <pre className={styles.pre} tabIndex={0}>
        {lines}
      </pre>
    </figure>
  )
}

/** For those who want to look around before they change their program. */
function Demo({ project }: { readonly project: Project }) {
  const navigate = useNavigate()
  const fill = useMutation({
    mutationFn: () => api.call('project_demo', inPath(project)),
    onSuccess: async () => {
      await queryClient.invalidateQueries()
      await navigate({ to: '/$entity/$project/weave/traces', params: inPath(project), search: {} })
    },
  })
  return (
    <section className={styles.card} aria-labelledby="demo">
      <div className={styles.line}>
        <div className={styles.grow}>
          <h2 id="demo">Nothing to send yet?</h2>
          <p className={styles.faint}>
            Fill this project with demo data: an agent at work, an evaluation, a dataset, feedback and costs.
          </p>
        </div>
        <Button variant="default" loading={fill.isPending} onClick={() => fill.mutate()}>
          Fill with demo data
        </Button>
      </div>
      {fill.isError && <Failure error={fill.error} />}
    </section>
  )
}
