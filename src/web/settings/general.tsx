import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { refreshQueries } from '../api/query-client.ts'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { useProjects } from '../api/projects.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import styles from './settings-page.module.css'

/** The display name of the project. */
export function General({ project }: { readonly project: Project }) {
  const listed = useProjects().data?.projects.find(({ project_id }) => project_id === project.project_id)
  const [typed, setTyped] = useState<string>()
  const saved = listed?.display_name ?? ''
  const name = typed ?? saved
  const save = useMutation({
    mutationFn: () => api.call('project_update', { ...projectParams(project), display_name: name.trim() }),
    onSuccess: async () => {
      await refreshQueries(['projects'])
      setTyped(undefined)
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <section className="card" aria-labelledby="general">
      <h2 id="general">Name</h2>
      <p className="faint">
        The display name is shown in this web UI. The project stays <code>{project.project_id}</code>: SDKs,
        API, URLs and refs keep using it.
      </p>
      {listed !== undefined && listed.role !== 'admin' ? (
        <p className="faint">
          Display name: {saved === '' ? 'none' : saved}. Only project admins can change it.
        </p>
      ) : (
        <form className={styles.line} aria-label="Rename project" onSubmit={submit}>
          <TextInput
            label="Display name"
            placeholder={project.project}
            maxLength={128}
            value={name}
            onChange={(event) => {
              save.reset()
              setTyped(event.target.value)
            }}
          />
          <Button
            type="submit"
            disabled={listed === undefined || name.trim() === saved}
            loading={save.isPending}
          >
            Rename
          </Button>
        </form>
      )}
      {save.isError && <ErrorNotice error={save.error} />}
      {save.isSuccess && <p role="status">Renamed.</p>}
    </section>
  )
}
