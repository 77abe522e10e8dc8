import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { refreshQueries } from '../api/query-client.ts'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import { useProjects } from '../api/projects.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import styles from './settings-page.module.css'

/** Deletes the project. The user must type its name to confirm; frame/deleted-project.tsx shows the progress. */
export function DeleteProject({ project }: { readonly project: Project }) {
  const [typedName, setTypedName] = useState('')
  const projects = useProjects()
  const listed = projects.data?.projects.find(({ project_id }) => project_id === project.project_id)
  const remove = useMutation({
    mutationFn: () => api.call('project_delete', projectParams(project)),
    onSuccess: () => refreshQueries(['projects']),
  })
  const isConfirmed = typedName === project.project_id
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isConfirmed) remove.mutate()
  }
  return (
    <section className="card" data-danger aria-labelledby="delete-project">
      <h2 id="delete-project">Delete project</h2>
      {projects.isSuccess && listed === undefined ? (
        <p role="status">
          This project does not exist. <Link to="/projects">All projects</Link>
        </p>
      ) : listed !== undefined && listed.role !== 'admin' ? (
        <p className="faint">Only project admins can delete the project.</p>
      ) : (
        <>
          <p>
            Deletes all calls, feedback, objects, datasets, files, queues, prices and member roles of the
            project. They cannot be restored.
          </p>
          <form className={styles.line} aria-label="Delete project" onSubmit={submit}>
            <TextInput
              label={`To delete the project, type ${project.project_id}`}
              spellCheck={false}
              autoComplete="off"
              value={typedName}
              onChange={(event) => setTypedName(event.target.value)}
            />
            <Button
              type="submit"
              color="danger"
              variant="light"
              disabled={!isConfirmed || listed === undefined}
              loading={remove.isPending}
            >
              Delete project
            </Button>
          </form>
          {remove.isError && <ErrorNotice error={remove.error} />}
          <p className="faint">
            It takes about a minute, in which requests are refused. Programs that still send calls then create
            a new project of the same name.
          </p>
        </>
      )}
    </section>
  )
}
